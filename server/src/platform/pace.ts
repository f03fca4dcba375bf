/** How often the server looks for work by itself. Tests shorten the intervals. */
export interface Pace {
  /** Length of a second of `everySeconds`, for jobs that look every few seconds. */
  readonly jobSecondMilliseconds: number
  /** Between two looks of consumers for events that they gather, or that another process leaves. */
  readonly consumerLookMilliseconds: number
  /** Length of a second of `gatherSeconds`. */
  readonly gatherSecondMilliseconds: number
  /** A consumer's pause after its first failure; each further one is twice as long. */
  readonly consumerRetryMilliseconds: number
}

export const PACE: Pace = Object.freeze({
  jobSecondMilliseconds: 1_000,
  consumerLookMilliseconds: 1_000,
  gatherSecondMilliseconds: 1_000,
  consumerRetryMilliseconds: 100,
})
