import { forgetState } from '../../platform/cache.ts'
import { alone } from '../../platform/sync/signing-in.ts'

/** Signs in, with every other tab gone, and opens the client. @throws what the request does */
export async function signedIn(signIn: () => Promise<unknown>): Promise<void> {
  await signInAlone(signIn)
  window.location.assign('/')
}

/** Signs in, with every other tab gone, and stays. @throws what the request does */
export async function signInAlone(signIn: () => Promise<unknown>): Promise<void> {
  let failure: { readonly error: unknown } | undefined
  await alone(async () => {
    try {
      await signIn()
      await forgetState()
    } catch (error) {
      failure = { error }
    }
  })
  if (failure !== undefined) throw failure.error
}
