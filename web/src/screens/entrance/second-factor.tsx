import { call } from '@parley/client'
import { secondFactors } from '@parley/server/contract'
import { useEffect, useState } from 'preact/hooks'
import type { ApplicationSecret } from '../../capabilities/second-factors/actions.ts'
import { SecretWithQrCode } from '../../capabilities/second-factors/parts/application-secret.tsx'
import { CodeField, RecoveryCodes } from '../../capabilities/second-factors/parts/codes.tsx'
import { ts, tl } from '../../kernel/later-texts.ts'
import { returnAddress } from '../../platform/return-address.ts'
import { reasonOf } from '../../platform/requests.ts'
import { isPlainClick } from '../../platform/router.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { Card, Form } from './form.tsx'
import { retryWhenThrottled } from './patience.ts'
import { PasskeyButton } from './passkey.tsx'
import { openClient, finishSignIn, signInWithoutOtherTabs } from './signed-in.ts'

interface SecondFactorProps {
  /** Token that proves that the first step of the sign-in succeeded. */
  readonly token: string | undefined
}

/** The token works only once and must not stay in the browser's history. */
function useAddressWithoutToken(): void {
  useEffect(() => window.history.replaceState(null, '', window.location.pathname), [])
}

export function SecondFactor({ token = '' }: SecondFactorProps) {
  useAddressWithoutToken()
  return (
    <Card title={ts().enter}>
      <Form
        submitLabel={tl().signIn.submit}
        submit={async (textOf) =>
          finishSignIn(async () => call(SESSION, secondFactors.finishLogin, { token, code: textOf('code') }))
        }
      >
        <CodeField hint={ts().codeHint} />
      </Form>
      <PasskeyButton />
      <SignInAgain />
    </Card>
  )
}

export function SecondFactorPasskey() {
  useAddressWithoutToken()
  return (
    <Card title={ts().enter}>
      <p>{ts().passkeys.needed}</p>
      <PasskeyButton />
      <SignInAgain />
    </Card>
  )
}

export function SecondFactorSetup({ token = '' }: SecondFactorProps) {
  const [secret, setSecret] = useState<ApplicationSecret>()
  const [failure, setFailure] = useState<string>()
  const [codes, setCodes] = useState<readonly string[]>()
  useAddressWithoutToken()
  useEffect(() => {
    retryWhenThrottled(async () => call(SESSION, secondFactors.beginRequiredSecondFactor, { token }), setFailure).then(
      setSecret,
      (error: unknown) => setFailure(reasonOf(error)),
    )
  }, [token])
  if (codes !== undefined) {
    return (
      <Card title={ts().recoveryCodes}>
        <RecoveryCodes codes={codes} onKept={openClient} />
      </Card>
    )
  }
  const confirm = async (code: string): Promise<void> => {
    const answer = await signInWithoutOtherTabs(async () =>
      call(SESSION, secondFactors.confirmRequiredSecondFactor, { token, code }),
    )
    if (answer === undefined) openClient()
    else setCodes(answer.recovery_codes)
  }
  return (
    <Card title={ts().setUp}>
      <p>{ts().setUpFirst}</p>
      <p class="sign-in-failure" role="alert">
        {failure}
      </p>
      {secret !== undefined && (
        <Form submitLabel={ts().confirm} submit={async (textOf) => confirm(textOf('code'))}>
          <SecretWithQrCode {...secret} />
          <CodeField hint={ts().firstCodeHint} />
        </Form>
      )}
      <SignInAgain />
    </Card>
  )
}

/** Replaces this page in the history, because its token is used up. */
function SignInAgain() {
  const address = returnAddress() ?? '/login'
  const begin = (event: MouseEvent): void => {
    if (!isPlainClick(event)) return
    event.preventDefault()
    window.location.replace(address)
  }
  return (
    <p>
      <a href={address} onClick={begin}>
        {ts().again}
      </a>
    </p>
  )
}
