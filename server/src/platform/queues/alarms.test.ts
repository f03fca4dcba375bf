import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openAlarms, type Alarms } from './alarms.ts'

let rung: string[]
let alarms: Alarms<string>

beforeEach(() => {
  vi.useFakeTimers()
  rung = []
  alarms = openAlarms((item) => rung.push(item))
})
afterEach(() => {
  vi.useRealTimers()
})

it('rings each once, not before its time and not much later', () => {
  alarms.set('second', 5_000)
  alarms.set('first', 1_000)
  vi.advanceTimersByTime(999)
  expect(rung).toEqual([])
  vi.advanceTimersByTime(202)
  expect(rung).toEqual(['first'])
  vi.advanceTimersByTime(60_000)
  expect(rung).toEqual(['first', 'second'])
})

it('does not ring what was cleared, also by another that rings in the same moment', () => {
  const tick = alarms.set('cleared', 1_000)
  alarms.set('kept', 1_000)
  alarms.clear('cleared', tick)
  const later = openAlarms<string>((item) => {
    rung.push(item)
    later.clear('b', both)
  })
  later.set('a', 1_000)
  const both = later.set('b', 1_000)
  vi.advanceTimersByTime(2_000)
  expect(rung.toSorted()).toEqual(['a', 'kept'])
})

it('keeps no timer while none is set', () => {
  const tick = alarms.set('one', 1_000)
  expect(vi.getTimerCount()).toBe(1)
  alarms.clear('one', tick)
  vi.advanceTimersByTime(200)
  expect(vi.getTimerCount()).toBe(0)
  alarms.set('another', 1_000)
  vi.advanceTimersByTime(2_000)
  expect(rung).toEqual(['another'])
  expect(vi.getTimerCount()).toBe(0)
})
