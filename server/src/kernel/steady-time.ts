export const stopwatch = {
  /** Milliseconds since the process started. Tests replace this function. */
  now: (): number => performance.now(),
}

const STARTED_AT_MILLISECONDS = Date.now() - performance.now()

/** Returns UNIX seconds unaffected by changes to the system clock. Use them only for differences. */
export function steadySeconds(): number {
  return (STARTED_AT_MILLISECONDS + stopwatch.now()) / 1000
}
