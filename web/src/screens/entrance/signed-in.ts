import type { Answer } from '@parley/client'
import type { sessions } from '@parley/server/contract'
import { deleteState } from '../../platform/cache.ts'
import { returnAddress } from '../../platform/return-address.ts'
import { signInExclusively } from '../../platform/sync/signing-in.ts'

type SignInResult = Answer<typeof sessions.login>

const SECOND_FACTOR_PATHS = {
  code: '/second-factor',
  setup: '/second-factor/setup',
  passkey: '/second-factor/passkey',
} as const

/** Replaces this page, so that Back does not return to sign-in. */
export function openClient(): void {
  window.location.replace(returnAddress() ?? '/')
}

export function continueSignIn({ second_factor: missing }: SignInResult): void {
  if (missing === undefined) return openClient()
  // The token is in the fragment, as in links, so that it is not sent to the server.
  window.location.replace(`${SECOND_FACTOR_PATHS[missing.kind]}#${missing.token}`)
}

export async function finishSignIn(signIn: () => Promise<SignInResult>): Promise<void> {
  const answer = await signInWithoutOtherTabs(signIn)
  if (answer === undefined) openClient()
  else continueSignIn(answer)
}

/** Signs in after all other tabs have dropped their data. @returns undefined if another tab signed in first */
export async function signInWithoutOtherTabs<Answered extends SignInResult | undefined>(
  signIn: () => Promise<Answered>,
): Promise<Answered | undefined> {
  const outcomes: ({ readonly answer: Answered } | { readonly error: unknown })[] = []
  await signInExclusively(async () => {
    try {
      outcomes.push({ answer: await signIn() })
      await deleteState()
    } catch (error) {
      outcomes.push({ error })
    }
  })
  const outcome = outcomes.at(-1)
  if (outcome === undefined) return undefined
  if ('error' in outcome) throw outcome.error
  return outcome.answer
}
