import { call } from '@parley/client'
import { openidConnect } from '@parley/server/contract'
import { useEffect, useRef, useState } from 'preact/hooks'
import { pageLanguage } from '../../capabilities/appearance/page-language.ts'
import { te } from '../../kernel/entrance-texts.ts'
import { t } from '../../kernel/strings.ts'
import { keepPart, keptPart } from '../../platform/cache.ts'
import { reasonOf } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { Card, SignInLink } from './form.tsx'
import { patiently } from './patience.ts'
import { signedIn } from './signed-in.ts'

/**
 * Signing in by the identity provider: goes there at once, and is where one comes back to.
 * @param token of an invitation, which lets somebody in who has no account
 */
export function Openid({ token }: { readonly token: string | undefined }) {
  const [failure, setFailure] = useState<string>()
  const [why, say] = useState<string>()
  const brought = useRef(token)
  const begin = (going: Promise<void>): void => {
    setFailure(undefined)
    going.catch((error: unknown) => setFailure(reasonOf(error)))
  }
  useEffect(() => begin(goOn(brought, say)), [])
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
      <button class="button primary" onClick={() => begin(leave(brought.current, say))}>
        {t().app.retry}
      </button>
      <SignInLink />
    </Card>
  )
}

/** Where this browser keeps the token of an invitation while one is at the provider. Signing in takes it away with all else. */
const KEPT = 'invitation'

/** Is told why the page waits, and undefined once it goes on. */
type Say = (why: string | undefined) => void

/** @param brought has the token, here and when one comes back */
async function goOn(brought: { current: string | undefined }, say: Say): Promise<void> {
  const answer = new URLSearchParams(window.location.search)
  const state = answer.get('state')
  // What the provider says is good once, and belongs into no history.
  window.history.replaceState(null, '', '/openid')
  if (state === null) return leave(brought.current, say)
  brought.current = (await keptPart(KEPT)) || undefined
  if (brought.current !== undefined) await keepPart(KEPT, '')
  const said = Object.fromEntries(
    ['code', 'iss', 'error'].flatMap((name) => {
      const value = answer.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )
  // The server uses the attempt up before it looks at the code. So what is asked again because no answer came is refused if the server
  // had it, and is the first that the server hears of it otherwise.
  const finish = async () => call(SESSION, openidConnect.finishOpenidLogin, { state, ...said, ...pageLanguage() })
  await signedIn(async () => patiently(finish, say, openidConnect.OPENID_ATTEMPT_SECONDS))
}

/** Goes to the provider. Going back from there leads to where one was before this page, which would only lead there again. */
async function leave(token: string | undefined, say: Say): Promise<void> {
  if (token !== undefined) await keepPart(KEPT, token)
  const input = token === undefined ? {} : { token }
  const begin = async () => call(SESSION, openidConnect.beginOpenidLogin, input)
  const { authorization_url: address } = await patiently(begin, say)
  window.location.replace(address)
}
