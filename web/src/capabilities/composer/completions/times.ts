import { languageCode, t } from '../../../kernel/strings.ts'
import { localTime, zonedTime } from '../../../kernel/time.ts'
import { timesAfter } from '../../../platform/overlay/times.ts'
import type { Suggestion } from './suggestion.ts'

/** Minimum length of prefixes of day names, because shorter words are probably not days. */
const FEWEST_LETTERS = 2
const MORNING_HOUR = 9
const DAYS_AHEAD = 7

/** Suggests times that readers see in their own time zone: `~14:30`, `~tomorrow 9:00`, `~friday`, or common times. */
export function times(typed: string): readonly Suggestion[] {
  const now = new Date()
  if (typed === '') {
    const usual = timesAfter(now).map(({ id, title, at }) => suggestion(id, title, at))
    return [suggestion('now', t().composer.now, now), ...usual]
  }
  const [, word = '', hours, minutes = '0'] = /^(\p{L}*)\s*(?:(\d{1,2}):(\d{2}))?$/u.exec(typed) ?? []
  if (word === '' && hours === undefined) return []
  if (Number(hours ?? 0) > 23 || Number(minutes) > 59) return []
  const days = word === '' ? [nextDay(now, Number(hours), Number(minutes))] : daysCalled(word, now)
  return days.map((day) => {
    const at = new Date(
      day.getFullYear(),
      day.getMonth(),
      day.getDate(),
      Number(hours ?? MORNING_HOUR),
      Number(minutes),
    )
    return suggestion(String(+at), localTime(+at / 1000), at)
  })
}

/** Today, or tomorrow if that time has passed. */
function nextDay(now: Date, hours: number, minutes: number): Date {
  const isOver = hours * 60 + minutes < now.getHours() * 60 + now.getMinutes()
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + (isOver ? 1 : 0))
}

/** The next days whose name has this prefix: today, tomorrow, or a weekday. */
function daysCalled(word: string, now: Date): readonly Date[] {
  if (word.length < FEWEST_LETTERS) return []
  const relative = new Intl.RelativeTimeFormat(languageCode(), { numeric: 'auto' })
  const weekday = new Intl.DateTimeFormat(languageCode(), { weekday: 'long' })
  const isCalled = (name: string): boolean => name.toLowerCase().startsWith(word)
  return Array.from(
    { length: DAYS_AHEAD },
    (_, days) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days),
  ).filter((day, days) => (days < 2 && isCalled(relative.format(days, 'day'))) || isCalled(weekday.format(day)))
}

function suggestion(key: string, label: string, at: Date): Suggestion {
  const seconds = Math.floor(+at / 1000)
  return { key: `time-${key}`, label, detail: localTime(seconds), text: `<time:${zonedTime(seconds)}> ` }
}
