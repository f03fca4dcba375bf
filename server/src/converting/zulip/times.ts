const MAX_SECONDS = 2 ** 32

/** Whole seconds; undefined if missing or invalid. */
export function secondsOf(time: number | undefined): number | undefined {
  return time !== undefined && time > 0 && time < MAX_SECONDS ? Math.floor(time) : undefined
}
