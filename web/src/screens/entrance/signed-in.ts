import type { Answer } from '@parley/client'
import type { sessions } from '@parley/server/contract'
import { forgetState } from '../../platform/cache.ts'
import { returnAddress } from '../../platform/return-address.ts'
import { alone } from '../../platform/sync/signing-in.ts'

type SignedIn = Answer<typeof sessions.login>

const PAGES = { code: '/second-factor', setup: '/second-factor/setup', passkey: '/second-factor/passkey' } as const

/** Opens the client where one wanted to be, in place of this page: going back leads to no page at which one signs in. */
export function openClient(): void {
  window.location.replace(returnAddress() ?? '/')
}

/** Opens the client once one is signed in, or asks for the second factor. */
export function continueSignIn({ second_factor: missing }: SignedIn): void {
  if (missing === undefined) return openClient()
  // The token stands behind `#`, as that of a link does.
  window.location.replace(`${PAGES[missing.kind]}#${missing.token}`)
}

/** Signs in and goes on. @throws what the request does */
export async function signedIn(signIn: () => Promise<SignedIn>): Promise<void> {
  const answer = await signInAlone(signIn)
  if (answer === undefined) openClient()
  else continueSignIn(answer)
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
