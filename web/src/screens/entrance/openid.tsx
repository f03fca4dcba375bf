import { call, type Answer } from '@parley/client'
import { openidConnect, organizations } from '@parley/server/contract'
import { useEffect, useRef, useState } from 'preact/hooks'
import { pageSettings } from '../../capabilities/appearance/page-settings.ts'
import { te } from '../../kernel/entrance-texts.ts'
import { t } from '../../kernel/strings.ts'
import { storeText, loadText } from '../../platform/cache.ts'
import { reasonOf } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { Card, SignInLink } from './form.tsx'
import { retryWhenThrottled } from './patience.ts'
import { finishSignIn } from './signed-in.ts'

/** Redirects to the identity provider, and handles the return. @param token invites people without an account */
export function OpenidSignIn({ token }: { readonly token: string | undefined }) {
  const [failure, setFailure] = useState<string>()
  const [why, reportDelay] = useState<string>()
  const brought = useRef(token)
  const begin = (going: Promise<void>): void => {
    setFailure(undefined)
    going.catch((error: unknown) => setFailure(reasonOf(error)))
  }
  useEffect(() => begin(continueSignIn(brought, reportDelay)), [])
  if (failure === undefined) {
    return (
      <Card title={te().signingIn}>
        <p role="status">{why ?? t().app.loading}</p>
      </Card>
    )
  }
  return (
    <Card title={te().signingIn}>
      <p class="sign-in-failure" role="alert">
        {failure}
      </p>
      <button class="button primary" onClick={() => begin(redirectToProvider(brought.current, reportDelay))}>
        {t().app.retry}
      </button>
      <SignInLink />
    </Card>
  )
}

/** Stores the invitation token during the visit to the provider. Signing in deletes it with all other stored data. */
const INVITATION_KEY = 'invitation'

/** Called with undefined when the delay is over. */
type ReportDelay = (why: string | undefined) => void

/** @param brought contains the invitation token, both before and after the visit to the provider */
async function continueSignIn(brought: { current: string | undefined }, reportDelay: ReportDelay): Promise<void> {
  const answer = new URLSearchParams(window.location.search)
  const state = answer.get('state')
  // The provider's response is usable only once and must not stay in the browser's history.
  window.history.replaceState(null, '', '/openid')
  if (state === null) return redirectToProvider(brought.current, reportDelay)
  brought.current = (await loadText(INVITATION_KEY)) || undefined
  if (brought.current !== undefined) await storeText(INVITATION_KEY, '')
  const answered = Object.fromEntries(
    ['code', 'iss', 'error'].flatMap((name) => {
      const value = answer.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )
  // Safe to retry: the server consumes the attempt before it checks the code, and refuses repeated requests.
  const finish = async () => call(SESSION, openidConnect.finishOpenidLogin, { state, ...answered, ...pageSettings() })
  await finishSignIn(async () => retryWhenThrottled(finish, reportDelay, openidConnect.OPENID_ATTEMPT_SECONDS))
}

/** Uses `replace`, because Back would otherwise return here and redirect again. */
async function redirectToProvider(token: string | undefined, reportDelay: ReportDelay): Promise<void> {
  if (token !== undefined) await storeText(INVITATION_KEY, token)
  const input = token === undefined ? {} : { token }
  const begin = async () => call(SESSION, openidConnect.beginOpenidLogin, input)
  const { authorization_url: address } = await retryWhenThrottled(begin, reportDelay)
  window.location.replace(address)
}

type Provider = Answer<typeof organizations.getServerSettings>['external_authentication_methods'][number]

interface ProvidersProps {
  readonly labelOf: (provider: string) => string
  /** Token of an invitation, for people without an account. */
  readonly token?: string | undefined
}

export function Providers({ labelOf, token }: ProvidersProps) {
  const [providers, setProviders] = useState<readonly Provider[]>([])
  useEffect(() => {
    // Without the list of providers, the form still works.
    const nothing = (): void => undefined
    retryWhenThrottled(async () => call(SESSION, organizations.getServerSettings, {}), nothing).then(
      ({ external_authentication_methods: methods }) => setProviders(methods),
      nothing,
    )
  }, [])
  return (
    <>
      {providers.map(({ name, display_name: provider, login_url: address }) => (
        <a key={name} class="button" href={token === undefined ? address : `${address}#${token}`}>
          {labelOf(provider)}
        </a>
      ))}
    </>
  )
}
