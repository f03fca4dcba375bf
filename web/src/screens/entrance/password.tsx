import { ApiError, call, type Answer } from '@parley/client'
import { accountLinks, invitations } from '@parley/server/contract'
import { useEffect, useState } from 'preact/hooks'
import { revokedLines, te } from '../../kernel/entrance-texts.ts'
import { tl } from '../../kernel/later-texts.ts'
import { NewPassword } from '../../platform/dom/new-password.tsx'
import { reasonOf } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { InvalidLinkCard, Card, LoadingCard, Form, SendLinkForm } from './form.tsx'
import { retryWhenThrottled } from './patience.ts'
import { continueSignIn, openClient, signInWithoutOtherTabs } from './signed-in.ts'

type PasswordReset = Answer<typeof accountLinks.resetPassword>

export function PasswordResetPage({ token }: { readonly token: string | undefined }) {
  return token === undefined ? <RequestReset /> : <NewPasswordForm token={token} />
}

/** On servers that send no email, explains who can provide a link. */
function RequestReset() {
  const [isSent, setSent] = useState<boolean>()
  const [failure, setFailure] = useState<string>()
  useEffect(() => {
    const ask = async (): Promise<boolean> => (await call(SESSION, invitations.getJoinOrganization, {})).sends_email
    retryWhenThrottled(ask, setFailure).then(setSent, (error: unknown) => setFailure(reasonOf(error)))
  }, [])
  if (isSent === undefined) return <LoadingCard why={failure} />
  return (
    <SendLinkForm
      title={tl().signIn.forgotten}
      hint={isSent ? te().forgottenHint : te().passwordLinkHint}
      submitLabel={isSent ? te().sendLink : te().askLink}
      autocomplete="username"
      send={async (email) => call(SESSION, accountLinks.requestPasswordReset, { email })}
      sent={isSent ? te().passwordSent : te().passwordLinkAsked}
    />
  )
}

function NewPasswordForm({ token }: { readonly token: string }) {
  const [isBad, setBad] = useState(false)
  const [changed, setChanged] = useState<PasswordReset>()
  if (isBad) return <InvalidLinkCard more={te().badPasswordLink} again="/password" />
  if (changed !== undefined) return <RevokedList changed={changed} />
  const submit = async (textOf: (name: string) => string): Promise<void> => {
    try {
      const password = textOf('password')
      const answer = await signInWithoutOtherTabs(async () =>
        call(SESSION, accountLinks.resetPassword, { token, password }),
      )
      if (answer === undefined) openClient()
      else if (revokedLines(answer.revoked).length === 0) continueSignIn(answer)
      else setChanged(answer)
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'AUTHENTICATION_FAILED')) throw error
      setBad(true)
    }
  }
  return (
    <Card title={te().anotherPassword}>
      <p>{te().anotherPasswordMore}</p>
      <Form submitLabel={te().savePassword} submit={submit}>
        <NewPassword isFirst />
      </Form>
    </Card>
  )
}

function RevokedList({ changed }: { readonly changed: PasswordReset }) {
  return (
    <Card title={te().revokedTitle}>
      <p>{te().revokedMore}</p>
      <ul>
        {revokedLines(changed.revoked).map((line) => (
          <li key={line}>{line}</li>
        ))}
        <li>{te().revokedKey}</li>
      </ul>
      <button
        // Takes the focus, because the form that had it no longer exists.
        ref={(button) => button?.focus()}
        class="button primary"
        type="button"
        onClick={() => continueSignIn(changed)}
      >
        {te().goOn}
      </button>
    </Card>
  )
}
