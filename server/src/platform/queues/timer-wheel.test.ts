import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openTimerWheel, type Timer, type TimerWheel } from './timer-wheel.ts'

interface NamedTimer extends Timer {
  readonly name: string
}

let rung: string[]
let alarms: TimerWheel<NamedTimer>

beforeEach(() => {
  vi.useFakeTimers()
  rung = []
  alarms = openTimerWheel(({ name }) => rung.push(name))
})
afterEach(() => {
  vi.useRealTimers()
})

function namedTimer(name: string): NamedTimer {
  return { name, due: undefined, checkedAt: undefined }
}

it('fires each timer once, on time', () => {
  alarms.set(namedTimer('second'), 5_000)
  alarms.set(namedTimer('first'), 1_000)
  vi.advanceTimersByTime(999)
  expect(rung).toEqual([])
  vi.advanceTimersByTime(202)
  expect(rung).toEqual(['first'])
  vi.advanceTimersByTime(60_000)
  expect(rung).toEqual(['first', 'second'])
})

it('fires a timer at the time that was set last', () => {
  const [later, earlier, again] = [namedTimer('later'), namedTimer('earlier'), namedTimer('again')]
  alarms.set(later, 1_000)
  alarms.set(later, 3_000)
  alarms.set(earlier, 9_000)
  alarms.set(earlier, 1_000)
  alarms.set(again, 1_000)
  alarms.clear(again)
  alarms.set(again, 2_000)
  vi.advanceTimersByTime(1_201)
  expect(rung).toEqual(['earlier'])
  vi.advanceTimersByTime(1_000)
  expect(rung).toEqual(['earlier', 'again'])
  vi.advanceTimersByTime(1_000)
  expect(rung).toEqual(['earlier', 'again', 'later'])
  vi.advanceTimersByTime(60_000)
  expect(rung).toHaveLength(3)
})

it('does not fire a timer cleared at the same moment', () => {
  const cleared = namedTimer('cleared')
  alarms.set(cleared, 1_000)
  alarms.set(namedTimer('kept'), 1_000)
  alarms.clear(cleared)
  const [one, other] = [namedTimer('one'), namedTimer('other')]
  const clearing = openTimerWheel<NamedTimer>(({ name }) => {
    rung.push(name)
    clearing.clear(other)
  })
  clearing.set(one, 1_000)
  clearing.set(other, 1_000)
  vi.advanceTimersByTime(2_000)
  expect(rung.toSorted()).toEqual(['kept', 'one'])
})

it('leaves no timer running when none is set', () => {
  const one = namedTimer('one')
  alarms.set(one, 1_000)
  expect(vi.getTimerCount()).toBe(1)
  alarms.clear(one)
  vi.advanceTimersByTime(1_200)
  expect(vi.getTimerCount()).toBe(0)
  alarms.set(namedTimer('another'), 1_000)
  vi.advanceTimersByTime(2_000)
  expect(rung).toEqual(['another'])
  expect(vi.getTimerCount()).toBe(0)
})
