/*
 * For how long something has been is not asked of the clock, which may be set: by an hour, where it was wrong. It is asked of what
 * counts the time since this process began.
 */

export const stopwatch = {
  /** Milliseconds since the process began. Tests let them pass. */
  now: (): number => performance.now(),
}

const BEGAN_MILLISECONDS = Date.now() - performance.now()

/** UNIX seconds as the clock would say them if nobody had set it since the process began. Good for differences alone. */
export function steadySeconds(): number {
  return (BEGAN_MILLISECONDS + stopwatch.now()) / 1000
}
