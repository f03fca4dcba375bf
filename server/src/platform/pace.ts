/** Polling intervals. Tests shorten them. */
export interface Pace {
  /** Length of a second of `everySeconds`, for jobs that poll every few seconds. */
  readonly jobSecondMilliseconds: number
  /** Interval at which consumers poll for collected events, and for those of other processes. */
  readonly consumerLookMilliseconds: number
  /** Length of a second of `gatherSeconds`. */
  readonly gatherSecondMilliseconds: number
  /** A consumer's pause after the first failure; doubles with each further one. */
  readonly consumerRetryMilliseconds: number
}

export const PACE: Pace = Object.freeze({
  jobSecondMilliseconds: 1_000,
  consumerLookMilliseconds: 1_000,
  gatherSecondMilliseconds: 1_000,
  consumerRetryMilliseconds: 100,
})
