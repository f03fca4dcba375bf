/** Lock shared by all tabs. A tab that signs in takes it exclusively: other tabs drop their data, and new tabs wait. */
export const SIGN_IN_LOCK = 'parley-signing-in'
/** Lock held by every tab that shows data. */
const SHOWN_DATA_LOCK = 'parley-shown'

/** Maximum time that sleeping tabs can delay a sign-in. */
const MAX_SIGN_IN_DELAY_MILLISECONDS = 3_000

/** Waits until no other tab is signing in. `leave` must drop all shown data when another tab signs in later. */
export async function waitForSignIn(leave: () => void): Promise<void> {
  // Without locks, a tab notices a sign-in when the server ends its session.
  if (!('locks' in navigator)) return
  await new Promise<void>((resolve) => {
    const stay = async (): Promise<void> => {
      resolve()
      await navigator.locks.request(SHOWN_DATA_LOCK, { mode: 'shared' }, waitForever)
    }
    navigator.locks.request(SIGN_IN_LOCK, { mode: 'shared' }, stay).catch(leave)
  })
}

/** Signs in after all other tabs have dropped their data, and before any tab continues. */
export async function signInExclusively(signIn: () => Promise<void> | void): Promise<void> {
  if (!('locks' in navigator)) return signIn()
  const waitUntilLeft = async (): Promise<void> => {
    const signal = AbortSignal.timeout(MAX_SIGN_IN_DELAY_MILLISECONDS)
    await navigator.locks.request(SHOWN_DATA_LOCK, { signal }, () => undefined).catch(() => undefined)
    await signIn()
  }
  // If another tab steals the lock, this tab continues with that tab's user.
  await navigator.locks.request(SIGN_IN_LOCK, { steal: true }, waitUntilLeft).catch(() => undefined)
}

async function waitForever(): Promise<void> {
  await new Promise<never>(() => {})
}
