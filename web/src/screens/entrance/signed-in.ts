import type { Answer } from '@parley/client'
import type { sessions } from '@parley/server/contract'
import { forgetState } from '../../platform/cache.ts'
import { alone } from '../../platform/sync/signing-in.ts'

type SignedIn = Answer<typeof sessions.login>

const PAGES = { code: '/second-factor', setup: '/second-factor/setup', passkey: '/second-factor/passkey' } as const

/** Where one goes on once one is signed in, or to get there. */
export function nextPage({ second_factor: missing }: SignedIn): string {
  if (missing === undefined) return '/'
  // The token stands behind `#`, as that of a link does.
  return `${PAGES[missing.kind]}#${missing.token}`
}

/** Signs in and opens the client, or asks for the second factor. @throws what the request does */
export async function signedIn(signIn: () => Promise<SignedIn>): Promise<void> {
  const answer = await signInAlone(signIn)
  window.location.assign(answer === undefined ? '/' : nextPage(answer))
}

/**
 * Signs in, with every other tab gone, and stays.
 * @returns undefined where another tab signed in meanwhile: this one goes on with whom that has signed in
 * @throws what the request does
 */
export async function signInAlone<Answered extends SignedIn | undefined>(
  signIn: () => Promise<Answered>,
): Promise<Answered | undefined> {
  const outcomes: ({ readonly answer: Answered } | { readonly error: unknown })[] = []
  await alone(async () => {
    try {
      outcomes.push({ answer: await signIn() })
      await forgetState()
    } catch (error) {
      outcomes.push({ error })
    }
  })
  const outcome = outcomes.at(-1)
  if (outcome === undefined) return undefined
  if ('error' in outcome) throw outcome.error
  return outcome.answer
}
