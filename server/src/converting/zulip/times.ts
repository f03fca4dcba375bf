const MAX_SECONDS = 2 ** 32

/** A time of an export in whole seconds; undefined where there is none that is possible. */
export function secondsOf(time: number | undefined): number | undefined {
  return time !== undefined && time > 0 && time < MAX_SECONDS ? Math.floor(time) : undefined
}
