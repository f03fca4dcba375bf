export interface Pace {
  /** Actual duration of one second of a job's `everySeconds`. Tests shorten it. */
  readonly jobSecondMilliseconds: number
  readonly consumerPollMilliseconds: number
  /** Actual duration of one second of a consumer's `gatherSeconds`. Tests shorten it. */
  readonly gatherSecondMilliseconds: number
  /** Pause after a consumer's first failure. Doubles with each later failure. */
  readonly consumerRetryMilliseconds: number
  /** Silence after which the database ends a transaction that holds an organization's lock. */
  readonly silentLockMilliseconds: number
}

export const PACE: Pace = Object.freeze({
  jobSecondMilliseconds: 1_000,
  consumerPollMilliseconds: 1_000,
  gatherSecondMilliseconds: 1_000,
  consumerRetryMilliseconds: 100,
  silentLockMilliseconds: 2_000,
})
