export interface Pace {
  /** Length of a second of `everySeconds`. */
  readonly jobSecondMilliseconds: number
  readonly consumerPollMilliseconds: number
  /** Length of a second of `gatherSeconds`. */
  readonly gatherSecondMilliseconds: number
  /** Pause after the first failure; doubles with each later one. */
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
