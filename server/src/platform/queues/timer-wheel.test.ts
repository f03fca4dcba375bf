import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openTimerWheel, type Timer, type TimerWheel } from './timer-wheel.ts'

interface NamedTimer extends Timer {
  readonly name: string
}

let firedNames: string[]
let wheel: TimerWheel<NamedTimer>

beforeEach(() => {
  vi.useFakeTimers()
  firedNames = []
  wheel = openTimerWheel(({ name }) => firedNames.push(name))
})
afterEach(() => {
  vi.useRealTimers()
})

function namedTimer(name: string): NamedTimer {
  return { name, due: undefined, checkedAt: undefined }
}

it('fires each timer once, on time', () => {
  wheel.set(namedTimer('second'), 5_000)
  wheel.set(namedTimer('first'), 1_000)
  vi.advanceTimersByTime(999)
  expect(firedNames).toEqual([])
  vi.advanceTimersByTime(202)
  expect(firedNames).toEqual(['first'])
  vi.advanceTimersByTime(60_000)
  expect(firedNames).toEqual(['first', 'second'])
})

it('fires a timer at the time that was set last', () => {
  const [later, earlier, again] = [namedTimer('later'), namedTimer('earlier'), namedTimer('again')]
  wheel.set(later, 1_000)
  wheel.set(later, 3_000)
  wheel.set(earlier, 9_000)
  wheel.set(earlier, 1_000)
  wheel.set(again, 1_000)
  wheel.clear(again)
  wheel.set(again, 2_000)
  vi.advanceTimersByTime(1_201)
  expect(firedNames).toEqual(['earlier'])
  vi.advanceTimersByTime(1_000)
  expect(firedNames).toEqual(['earlier', 'again'])
  vi.advanceTimersByTime(1_000)
  expect(firedNames).toEqual(['earlier', 'again', 'later'])
  vi.advanceTimersByTime(60_000)
  expect(firedNames).toHaveLength(3)
})

it('does not fire a cleared timer when other timers due at the same time fire', () => {
  const cleared = namedTimer('cleared')
  wheel.set(cleared, 1_000)
  wheel.set(namedTimer('kept'), 1_000)
  wheel.clear(cleared)
  const [one, other] = [namedTimer('one'), namedTimer('other')]
  const clearing = openTimerWheel<NamedTimer>(({ name }) => {
    firedNames.push(name)
    clearing.clear(other)
  })
  clearing.set(one, 1_000)
  clearing.set(other, 1_000)
  vi.advanceTimersByTime(2_000)
  expect(firedNames.toSorted()).toEqual(['kept', 'one'])
})

it('leaves no Node timer running when no timer is set', () => {
  const one = namedTimer('one')
  wheel.set(one, 1_000)
  expect(vi.getTimerCount()).toBe(1)
  wheel.clear(one)
  vi.advanceTimersByTime(1_200)
  expect(vi.getTimerCount()).toBe(0)
  wheel.set(namedTimer('another'), 1_000)
  vi.advanceTimersByTime(2_000)
  expect(firedNames).toEqual(['another'])
  expect(vi.getTimerCount()).toBe(0)
})
