/* Measures elapsed time since the process started, unaffected by clock changes. */

export const stopwatch = {
  /** Milliseconds since the process started. Tests replace it. */
  now: (): number => performance.now(),
}

const BEGAN_MILLISECONDS = Date.now() - performance.now()

/** UNIX seconds that ignore clock changes since the process started. Use only for differences. */
export function steadySeconds(): number {
  return (BEGAN_MILLISECONDS + stopwatch.now()) / 1000
}
