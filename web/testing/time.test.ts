import { afterEach, describe, expect, it } from 'vitest'
import { timeAgo, chooseHourCycle, timeOfDay, dayTitle, fullTime } from '../src/kernel/time.ts'

const localSeconds = (...[year, month, date, hours, minutes]: [number, number, number, number, number]): number =>
  new Date(year, month - 1, date, hours, minutes).getTime() / 1000

const NIGHT_SECONDS = localSeconds(2026, 3, 2, 0, 5)
const NOON_SECONDS = localSeconds(2026, 3, 2, 12, 5)

afterEach(() => chooseHourCycle(true))

describe('clock', () => {
  it('formats times with 24 or 12 hours, including in full dates', () => {
    expect([timeOfDay(NIGHT_SECONDS), timeOfDay(NOON_SECONDS)]).toEqual(['00:05', '12:05'])
    expect(fullTime(NOON_SECONDS)).toMatch(/12:05$/)
    chooseHourCycle(false)
    expect([timeOfDay(NIGHT_SECONDS), timeOfDay(NOON_SECONDS)].map((text) => text.replace(/\s/, ' '))).toEqual([
      '12:05 AM',
      '12:05 PM',
    ])
    expect(fullTime(NOON_SECONDS)).toMatch(/12:05\sPM$/)
  })
})

describe('relative dates', () => {
  it('uses names such as today only for days near the present', () => {
    const now = NOON_SECONDS * 1000
    const at = (days: number): string => dayTitle(localSeconds(2026, 3, 2 + days, 9, 0), now)
    expect([at(-1), at(0), at(1)]).toEqual(['Yesterday', 'Today', 'Tomorrow'])
    expect(at(-3)).toBe('Friday')
    expect(at(3)).toMatch(/5 March|March 5/)
    expect(at(-20)).toMatch(/10 February|February 10/)
  })

  it('rounds past times down to the largest full unit', () => {
    const agoBefore = (seconds: number): string => timeAgo(NOON_SECONDS - seconds, NOON_SECONDS * 1000)
    expect(agoBefore(3_599)).toBe('59 minutes ago')
    expect(agoBefore(3_600)).toBe('1 hour ago')
    expect(agoBefore(86_399)).toBe('23 hours ago')
    expect(agoBefore(86_400)).toBe('yesterday')
  })
})
