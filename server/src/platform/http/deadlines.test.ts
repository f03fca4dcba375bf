import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openDeadlines, type Deadlines } from './deadlines.ts'
import type { Exchange } from './exchange.ts'

const DEADLINE_SECONDS = 5

let deadlines: Deadlines
let lateExchanges: Exchange[]

beforeEach(() => {
  vi.useFakeTimers()
  lateExchanges = []
  deadlines = openDeadlines(DEADLINE_SECONDS, (exchange) => lateExchanges.push(exchange))
})

afterEach(async () => {
  await deadlines.close()
  vi.useRealTimers()
})

const NEVER_SETTLED = Promise.race<void>([])

function createRequest(complete = true): { exchange: Exchange; arrive(): void; beginAnswer(): void } {
  const facts = { request: { complete }, response: { headersSent: false } }
  // `follow` uses no other part of an exchange.
  const exchange = facts as unknown as Exchange
  deadlines.follow(exchange, NEVER_SETTLED, () => undefined)
  return {
    exchange,
    arrive: () => (facts.request.complete = true),
    beginAnswer: () => (facts.response.headersSent = true),
  }
}

const advanceSeconds = async (seconds: number): Promise<unknown> => vi.advanceTimersByTimeAsync(seconds * 1_000)

it('reports an unanswered request once after the deadline', async () => {
  const { exchange } = createRequest()
  await advanceSeconds(DEADLINE_SECONDS)
  expect(lateExchanges).toEqual([])
  await advanceSeconds(2)
  expect(lateExchanges).toEqual([exchange])
  await advanceSeconds(10 * DEADLINE_SECONDS)
  expect(lateExchanges).toEqual([exchange])
})

it('measures the deadline from the complete arrival of a request', async () => {
  const slow = createRequest(false)
  await advanceSeconds(10 * DEADLINE_SECONDS - 0.5)
  slow.arrive()
  await advanceSeconds(DEADLINE_SECONDS)
  expect(lateExchanges).toEqual([])
  await advanceSeconds(2)
  expect(lateExchanges).toEqual([slow.exchange])
})

it('does not report a request that is still arriving or is being answered', async () => {
  createRequest().beginAnswer()
  createRequest(false)
  const { exchange } = createRequest()
  await advanceSeconds(10 * DEADLINE_SECONDS)
  expect(lateExchanges).toEqual([exchange])
})

it('does not report a request that was answered in time', async () => {
  const facts = { request: { complete: true }, response: { headersSent: false } }
  deadlines.follow(facts as unknown as Exchange, Promise.resolve(), () => undefined)
  await advanceSeconds(10 * DEADLINE_SECONDS)
  expect(lateExchanges).toEqual([])
})
