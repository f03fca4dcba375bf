export const stopwatch = {
  /** Milliseconds since the process started. Tests replace it. */
  now: (): number => performance.now(),
}

const BEGAN_MILLISECONDS = Date.now() - performance.now()

/** Returns UNIX seconds that ignore clock changes. Use only for differences. */
export function steadySeconds(): number {
  return (BEGAN_MILLISECONDS + stopwatch.now()) / 1000
}
