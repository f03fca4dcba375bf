import { signal } from '@preact/signals'
import { languageCode, t } from './strings.ts'

const cachedFormats = new Map<string, Intl.DateTimeFormat>()

function cachedFormat(key: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = `${languageCode()}:${key}`
  const known = cachedFormats.get(name) ?? new Intl.DateTimeFormat(languageCode(), options)
  cachedFormats.set(name, known)
  return known
}

const usesTwentyFourHours = signal(true)

/** Sets the hour cycle, and rerenders components that show times. */
export function chooseHourCycle(twentyFourHours: boolean): void {
  usesTwentyFourHours.value = twentyFourHours
}

function hourCycle(): 'h23' | 'h12' {
  return usesTwentyFourHours.value ? 'h23' : 'h12'
}

export function timeOfDay(seconds: number): string {
  return cachedFormat(`clock-${hourCycle()}`, {
    hour: 'numeric',
    minute: '2-digit',
    hourCycle: hourCycle(),
  }).format(seconds * 1000)
}

/** Any time during the current day. Components that show dates rerender when the next day begins. */
const today = signal(Date.now())

const MINUTE_MILLISECONDS = 60_000

/** Compares the date every minute: a timer for midnight would be late after the computer slept. */
export function watchDate(): void {
  const now = Date.now()
  if (daysBetween(today.peek(), now) !== 0) today.value = now
  setTimeout(watchDate, MINUTE_MILLISECONDS - (now % MINUTE_MILLISECONDS))
}

function nearbyDay(days: number): string | undefined {
  if (Math.abs(days) > 1) return undefined
  return new Intl.RelativeTimeFormat(languageCode(), { numeric: 'auto' }).format(-days, 'day')
}

/** Returns `Today`, `Yesterday`, `Tomorrow`, a weekday within the last week, or a date. */
export function dayTitle(seconds: number, now = today.value): string {
  const days = daysBetween(seconds * 1000, now)
  const words = nearbyDay(days)
  if (words !== undefined) return words.charAt(0).toLocaleUpperCase(languageCode()) + words.slice(1)
  if (days > 0 && days < 7) return cachedFormat('weekday', { weekday: 'long' }).format(seconds * 1000)
  const isThisYear = new Date(seconds * 1000).getFullYear() === new Date(now).getFullYear()
  return isThisYear
    ? cachedFormat('date', { weekday: 'short', day: 'numeric', month: 'long' }).format(seconds * 1000)
    : cachedFormat('dated', { day: 'numeric', month: 'long', year: 'numeric' }).format(seconds * 1000)
}

/** Formats a date without relative words such as "Today", so that it stays correct later. */
export function fullDate(seconds: number): string {
  return cachedFormat('fullDate', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }).format(
    seconds * 1000,
  )
}

export function isSameDay(one: number, other: number): boolean {
  return new Date(one * 1000).toDateString() === new Date(other * 1000).toDateString()
}

export function fullTime(seconds: number): string {
  return cachedFormat(`full-${hourCycle()}`, { dateStyle: 'full', timeStyle: 'short', hourCycle: hourCycle() }).format(
    seconds * 1000,
  )
}

export function shortTimestamp(seconds: number): string {
  return daysBetween(seconds * 1000, today.value) === 0
    ? timeOfDay(seconds)
    : cachedFormat('short', { day: 'numeric', month: 'short' }).format(seconds * 1000)
}

/** Formats a future time for a sentence: `today at 10:20`. */
export function dueTime(seconds: number): string {
  const day = nearbyDay(daysBetween(seconds * 1000, today.value)) ?? dayTitle(seconds)
  return t().later.at(day, timeOfDay(seconds))
}

/** Formats a future time for a label: `Tomorrow at 10:20`. */
export function dueTitle(seconds: number): string {
  return t().later.at(dayTitle(seconds), timeOfDay(seconds))
}

/** Formats a future time, with the weekday unless it is today, and with the date if it is a week away. */
export function upcomingTime(seconds: number): string {
  const days = daysBetween(today.value, seconds * 1000)
  if (days === 0) return timeOfDay(seconds)
  if (days >= 7)
    return `${cachedFormat('upcoming', { weekday: 'short', day: 'numeric', month: 'short' }).format(seconds * 1000)}, ${timeOfDay(seconds)}`
  return `${cachedFormat('weekdayShort', { weekday: 'short' }).format(seconds * 1000)} ${timeOfDay(seconds)}`
}

export function timeAgo(seconds: number, now = Date.now()): string {
  const past = Math.max(0, now / 1000 - seconds)
  const words = new Intl.RelativeTimeFormat(languageCode(), { numeric: 'auto' })
  if (past < 3_600) return words.format(-Math.floor(past / 60), 'minute')
  return past < 86_400
    ? words.format(-Math.floor(past / 3_600), 'hour')
    : words.format(-Math.floor(past / 86_400), 'day')
}

export function currentTimeIn(timeZone: string, now = Date.now()): string {
  const hours = { hour: 'numeric', minute: '2-digit', hourCycle: hourCycle() } as const
  const inZone = (options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat(languageCode(), { ...options, timeZone }).format(now)
  const isSame = inZone({ day: 'numeric' }) === cachedFormat('dayOfMonth', { day: 'numeric' }).format(now)
  return inZone(isSame ? hours : { ...hours, weekday: 'short' })
}

function daysBetween(from: number, to: number): number {
  const midnight = (time: number): number => new Date(time).setHours(0, 0, 0, 0)
  return Math.round((midnight(to) - midnight(from)) / 86_400_000)
}

export function localTime(seconds: number): string {
  return cachedFormat(`local-${hourCycle()}`, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    hourCycle: hourCycle(),
  }).format(seconds * 1000)
}

/** Formats a time for a message, in the local time zone: `2026-01-02T03:04:00+01:00`. */
export function zonedTime(seconds: number): string {
  const at = new Date(seconds * 1000)
  const east = -at.getTimezoneOffset()
  const local = new Date(+at + east * 60_000).toISOString().slice(0, 19)
  return `${local}${east < 0 ? '-' : '+'}${offsetText(Math.abs(east))}`
}

function offsetText(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')
}
