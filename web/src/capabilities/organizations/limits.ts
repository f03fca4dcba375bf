import { ta } from '../../kernel/administration.ts'

const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400]

/** Time limits in seconds; null for no limit. */
export const TIME_LIMITS: readonly (number | null)[] = [
  null,
  ...[1, 2, 5, 10, 30].map((minutes) => minutes * MINUTE),
  ...[1, 4, 12].map((hours) => hours * HOUR),
  ...[1, 3, 7, 14, 30, 90, 365].map((days) => days * DAY),
]

/** Numbers of days for which a member can count as new. */
export const NEW_MEMBER_DAYS: readonly number[] = [0, 1, 3, 7, 14, 30, 90]

/** Retention periods in days; -1 for forever. */
export const RETENTION_DAYS: readonly number[] = [-1, 30, 90, 180, 365, 730, 1_825, 3_650]

export function withChosen<Value>(values: readonly Value[], chosen: Value): readonly Value[] {
  return values.includes(chosen) ? values : [...values, chosen]
}

export function timeTitle(seconds: number | null): string {
  if (seconds === null) return ta().organization.anyTime
  if (seconds % DAY === 0) return ta().organization.days(seconds / DAY)
  if (seconds % HOUR === 0) return ta().organization.hours(seconds / HOUR)
  return ta().organization.minutes(Math.round((seconds / MINUTE) * 10) / 10)
}
