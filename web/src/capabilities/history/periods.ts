import { tl } from '../../kernel/later-texts.ts'
import { withoutAccents } from '../../kernel/ranking.ts'
import { languageCode } from '../../kernel/strings.ts'
import { dayTitle, fullDate } from '../../kernel/time.ts'

/* Dates in searches: `2026-11-03`, `yesterday`, `last week`, `monday`, `3 november`. All are in the local time zone. */

export interface Period {
  readonly start: Date
  /** The period ends before this time. */
  readonly end: Date
}

export interface NamedPeriod extends Period {
  readonly name: string
  /** Whether the period is a number of days up to today. */
  readonly isRange?: boolean
}

function daysFrom(now: Date, from: number, count: number): Period {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate() + from]
  return { start: new Date(year, month, day), end: new Date(year, month, day + count) }
}

/** @param month from 0; can be outside the year */
function monthAt(year: number, month: number): Period {
  return { start: new Date(year, month), end: new Date(year, month + 1) }
}

function yearAt(year: number): Period {
  return { start: new Date(year, 0), end: new Date(year + 1, 0) }
}

/** `Intl` throws for tags that aren't languages: Chromium reports `en-US@posix` if its locale is `C`. */
export function validLanguage(tag: string): string {
  try {
    return new Intl.Locale(tag.replace(/[@.].*/, '')).toString()
  } catch {
    return 'en'
  }
}

/** Weeks start on Monday where the browser doesn't know better. */
function startOfWeek(now: Date): number {
  // Safe: browsers without week data lack the method.
  const locale = new Intl.Locale(validLanguage(navigator.language)) as Intl.Locale & {
    getWeekInfo?(): { firstDay: number }
  }
  const firstDay = locale.getWeekInfo?.().firstDay ?? 1
  return -((now.getDay() - firstDay + 7) % 7)
}

const PERIOD_UNITS = ['day', 'week', 'month', 'year'] as const

/** @param ago number of days, weeks, months, or years back */
function periodAgo(now: Date, unit: (typeof PERIOD_UNITS)[number], ago: number): Period {
  if (unit === 'day') return daysFrom(now, -ago, 1)
  if (unit === 'week') return daysFrom(now, startOfWeek(now) - 7 * ago, 7)
  return unit === 'month' ? monthAt(now.getFullYear(), now.getMonth() - ago) : yearAt(now.getFullYear() - ago)
}

function lastDays(now: Date, count: number): Period {
  return daysFrom(now, 1 - count, count)
}

/** Names also work in English, in which links and documentation are written. */
function dateLanguages(): readonly string[] {
  return [...new Set([languageCode(), 'en'])]
}

/** Periods to offer, most useful first. */
export function suggestedPeriods(now = new Date()): readonly NamedPeriod[] {
  return [
    ...[0, 1].map((ago) => namedPeriodAgo(now, 'day', ago)),
    ...[7, 30].map((count) => ({ name: tl().search.lastDays(count), isRange: true, ...lastDays(now, count) })),
    ...(['week', 'month'] as const).flatMap((unit) => [0, 1].map((ago) => namedPeriodAgo(now, unit, ago))),
  ]
}

function namedPeriodAgo(
  now: Date,
  unit: (typeof PERIOD_UNITS)[number],
  ago: number,
  language = languageCode(),
): NamedPeriod {
  const name = new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(-ago, unit)
  return { name: name.charAt(0).toLocaleUpperCase(language) + name.slice(1), ...periodAgo(now, unit, ago) }
}

function namedWeekdays(now: Date, language: string): readonly NamedPeriod[] {
  const format = new Intl.DateTimeFormat(language, { weekday: 'long' })
  return Array.from({ length: 7 }, (_, ago) => {
    const period = daysFrom(now, -ago, 1)
    return { name: format.format(period.start), ...period }
  })
}

/** Returns the latest January, February, and so on. */
function namedMonths(now: Date, language: string): readonly NamedPeriod[] {
  const format = new Intl.DateTimeFormat(language, { month: 'long' })
  return Array.from({ length: 12 }, (_, ago) => {
    const period = monthAt(now.getFullYear(), now.getMonth() - ago)
    return { name: format.format(period.start), ...period }
  })
}

export function namedPeriods(now = new Date()): readonly NamedPeriod[] {
  const all = [
    ...suggestedPeriods(now),
    ...dateLanguages().flatMap((language) => [
      ...[0, 1, 2].map((ago) => namedPeriodAgo(now, 'day', ago, language)),
      ...(['week', 'month', 'year'] as const).flatMap((unit) =>
        [0, 1].map((ago) => namedPeriodAgo(now, unit, ago, language)),
      ),
      ...namedWeekdays(now, language),
      ...namedMonths(now, language),
    ]),
  ]
  return all.filter(
    ({ name }, index) => all.findIndex((one) => normalizePhrase(one.name) === normalizePhrase(name)) === index,
  )
}

/** `last-week` needs no quotes in a search, so hyphens count as spaces. */
export function normalizePhrase(text: string): string {
  return withoutAccents(text)
    .replaceAll(/[\s_-]+/g, ' ')
    .trim()
}

const MIN_WEEKDAY_LETTERS = 2
const MIN_MONTH_LETTERS = 3

export function parsePeriod(text: string, now = new Date()): Period | undefined {
  const numeric = parseNumericPeriod(text.trim(), now)
  if (numeric !== undefined) return numeric
  const phrase = normalizePhrase(text)
  const named = namedPeriods(now).find(({ name }) => normalizePhrase(name) === phrase)
  return named ?? parseCountedPeriod(phrase, now) ?? parseMonthAndDay(phrase, now) ?? parseWeekday(phrase, now)
}

function parseNumericPeriod(text: string, now: Date): Period | undefined {
  const [, from = '', to = from] = /^(\d{4}(?:-\d\d){0,2})(?:\.\.(\d{4}-\d\d-\d\d))?$/.exec(text) ?? []
  const [first, last] = [parseIsoPeriod(from, now), parseIsoPeriod(to, now)]
  if (first !== undefined && last !== undefined && first.start <= last.start) return { ...first, end: last.end }
  const [, one = '', sign, other = '', year] = /^(\d{1,2})([./])(\d{1,2})(?:\2(\d{4})?)?$/.exec(text) ?? []
  if (sign === undefined) return undefined
  const isDayFirst = sign === '.' || !startsWithMonth()
  const [day, month] = isDayFirst ? [one, other] : [other, one]
  return parseDay(now, Number(month) - 1, Number(day), year)
}

function startsWithMonth(): boolean {
  const parts = new Intl.DateTimeFormat(languageCode()).formatToParts()
  return parts.find(({ type }) => type === 'day' || type === 'month')?.type === 'month'
}

/** Excludes years before UNIX time, and years that ISO 8601 writes with a sign. */
function isSearchable(year: number): boolean {
  return year >= 1970 && year < 9_999
}

function parseIsoPeriod(text: string, now: Date): Period | undefined {
  const [, year, month, day] = /^(\d{4})(?:-(\d\d))?(?:-(\d\d))?$/.exec(text) ?? []
  if (year === undefined || !isSearchable(Number(year))) return undefined
  if (month === undefined) return yearAt(Number(year))
  if (!(Number(month) >= 1 && Number(month) <= 12)) return undefined
  return day === undefined
    ? monthAt(Number(year), Number(month) - 1)
    : parseDay(now, Number(month) - 1, Number(day), year)
}

/** Without a year, returns the latest day with this month and day of the month. */
function parseDay(now: Date, month: number, day: number, year: string | undefined): Period | undefined {
  const years =
    year === undefined ? [0, 1, 2, 3, 4].map((ago) => now.getFullYear() - ago) : [Number(year)].filter(isSearchable)
  return years
    .map((one) => ({ start: new Date(one, month, day), end: new Date(one, month, day + 1) }))
    .find(({ start }) => start.getMonth() === month && start.getDate() === day && (year !== undefined || start <= now))
}

/** Maximum number of days, weeks, months, or years in `3 weeks ago`. */
const MAX_PERIODS_BACK = 500

/** Reads `3 days ago` and `last 7 days`. */
function parseCountedPeriod(phrase: string, now: Date): Period | undefined {
  const count = Number(/\d+/.exec(phrase)?.[0] ?? 0)
  if (count < 1 || count > MAX_PERIODS_BACK) return undefined
  if (phrase === normalizePhrase(tl().search.lastDays(count)) || phrase === `last ${count} days`)
    return lastDays(now, count)
  for (const language of dateLanguages())
    for (const unit of PERIOD_UNITS)
      if (normalizePhrase(namedPeriodAgo(now, unit, count, language).name) === phrase)
        return periodAgo(now, unit, count)
  return undefined
}

/** Reads `november`, `nov 2025`, `3 november`, and `nov 3rd, 2025`. */
function parseMonthAndDay(phrase: string, now: Date): Period | undefined {
  const words = phrase.split(/[\s.,]+/).filter((word) => word !== '')
  const month = words.map((word) => parseMonth(word, now)).find((one) => one !== undefined)
  const numbers = words.filter((word) => parseMonth(word, now) === undefined)
  const year = numbers.find((word) => /^\d{4}$/.test(word))
  const days = numbers.filter((word) => /^\d{1,2}(st|nd|rd|th)?$/.test(word))
  if (month === undefined || words.length - 1 !== days.length + (year === undefined ? 0 : 1)) return undefined
  const [day, ...more] = days
  if (more.length > 0) return undefined
  if (day !== undefined) return parseDay(now, month.start.getMonth(), Number.parseInt(day, 10), year)
  if (year === undefined) return month
  return isSearchable(Number(year)) ? monthAt(Number(year), month.start.getMonth()) : undefined
}

function parseMonth(word: string, now: Date): Period | undefined {
  if (word.length < MIN_MONTH_LETTERS) return undefined
  return dateLanguages()
    .flatMap((language) => namedMonths(now, language))
    .find(({ name }) => normalizePhrase(name).startsWith(word))
}

function parseWeekday(phrase: string, now: Date): Period | undefined {
  const word = phrase.replace(/\.$/, '')
  if (word.length < MIN_WEEKDAY_LETTERS) return undefined
  return dateLanguages()
    .flatMap((language) => namedWeekdays(now, language))
    .find(({ name }) => normalizePhrase(name).startsWith(word))
}

/** Writes a period so that it means the same on other days and in other languages. */
export function formatPeriod({ start, end }: Period): string {
  const last = lastDayOf(end)
  const [from, to] = [isoDay(start), isoDay(last)]
  if (from === to) return from
  if (from.endsWith('-01-01') && to.endsWith('-12-31') && from.slice(0, 4) === to.slice(0, 4)) return from.slice(0, 4)
  const isMonth = start.getDate() === 1 && end.getDate() === 1 && start.getMonth() === last.getMonth()
  return isMonth && start.getFullYear() === last.getFullYear() ? from.slice(0, 7) : `${from}..${to}`
}

function lastDayOf(end: Date): Date {
  return new Date(end.getFullYear(), end.getMonth(), end.getDate() - 1)
}

export function isoDay(date: Date): string {
  const twoDigits = (number: number): string => String(number).padStart(2, '0')
  const year = String(date.getFullYear()).padStart(4, '0')
  return `${year}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`
}

export function toUnixSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}

/** Returns `Yesterday`, a weekday or date, `November 2026`, or a range of days. */
export function periodTitle(period: Period): string {
  return isoDay(period.start) === isoDay(lastDayOf(period.end))
    ? dayTitle(toUnixSeconds(period.start))
    : formatPeriodDates(period)
}

/** Returns the dates of a period without relative words. */
export function formatPeriodDates(period: Period): string {
  const written = formatPeriod(period)
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(languageCode(), options)
  if (written.includes('..'))
    return format({ day: 'numeric', month: 'short', year: 'numeric' }).formatRange(period.start, lastDayOf(period.end))
  if (written.length === 'yyyy'.length) return written
  if (written.length === 'yyyy-mm'.length) return format({ month: 'long', year: 'numeric' }).format(period.start)
  return fullDate(toUnixSeconds(period.start))
}
