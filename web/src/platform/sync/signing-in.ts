/** Every tab shares this lock. The tab that signs in takes it alone: the other tabs leave what they show, and new tabs wait. */
export const SIGNING_IN = 'parley-signing-in'
/** Every tab that shows something holds it, together with the others, until it is gone. */
const SHOWN = 'parley-shown'

/** A tab that is asleep does not hold up the one that signs in for longer. */
const LEAVING_MILLISECONDS = 3_000

/**
 * Waits until no other tab is signing in.
 * @param leave is called when somebody does so in another tab: nothing of what is shown here may go on
 */
export async function enter(leave: () => void): Promise<void> {
  // Where a browser has no locks, a tab finds out when the server ends the session that it was in.
  if (!('locks' in navigator)) return
  await new Promise<void>((resolve) => {
    const stay = async (): Promise<void> => {
      resolve()
      await navigator.locks.request(SHOWN, { mode: 'shared' }, forever)
    }
    navigator.locks.request(SIGNING_IN, { mode: 'shared' }, stay).catch(leave)
  })
}

/** Signs in once every other tab has left what it shows, and before any goes on. */
export async function alone(signIn: () => Promise<void> | void): Promise<void> {
  if (!('locks' in navigator)) return signIn()
  const whenLeft = async (): Promise<void> => {
    const signal = AbortSignal.timeout(LEAVING_MILLISECONDS)
    await navigator.locks.request(SHOWN, { signal }, () => undefined).catch(() => undefined)
    await signIn()
  }
  // Where another tab signs in meanwhile, this one goes on with whom that has signed in.
  await navigator.locks.request(SIGNING_IN, { steal: true }, whenLeft).catch(() => undefined)
}

async function forever(): Promise<void> {
  await new Promise<never>(() => {})
}
