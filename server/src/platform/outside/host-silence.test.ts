import { expect, it } from 'vitest'
import { FIRST_PAUSE_SECONDS, UnresponsiveHosts, MAX_PAUSE_SECONDS, MAX_UNANSWERED_REQUESTS } from './outside.ts'
import { OutsideFailure, type OutsideFailureReason } from './request.ts'

function createScene() {
  let now = 0
  const silence = new UnresponsiveHosts(() => now)
  let sent = 0
  const outcome = async (
    milliseconds: number,
    reason?: OutsideFailureReason,
    { url = 'https://a.test/', person = '1/2' } = {},
  ): Promise<boolean> => {
    const before = sent
    const send = async (): Promise<void> => {
      sent += 1
      now += milliseconds
      if (reason !== undefined) throw new OutsideFailure(reason, reason)
      return Promise.resolve()
    }
    await silence.unlessSilent({ url, person }, send).catch(() => undefined)
    return sent > before
  }
  /** @returns whether the request was sent */
  const unanswered = async (more = {}): Promise<boolean> => outcome(10_000, 'time', more)
  return { silence, outcome, unanswered, pass: (seconds: number) => (now += seconds * 1_000) }
}

it('pauses requests to an unresponsive host with growing delays', async () => {
  const { outcome, unanswered, pass } = createScene()
  for (let count = 0; count < MAX_UNANSWERED_REQUESTS; count += 1) expect(await unanswered()).toBe(true)
  for (let seconds = FIRST_PAUSE_SECONDS; seconds < MAX_PAUSE_SECONDS * 4; seconds *= 2) {
    pass(Math.min(seconds, MAX_PAUSE_SECONDS) - 1)
    expect(await outcome(10)).toBe(false)
    pass(1)
    expect(await unanswered()).toBe(true)
  }
  pass(MAX_PAUSE_SECONDS)
  expect(await outcome(10)).toBe(true)
  for (let count = 0; count < MAX_UNANSWERED_REQUESTS; count += 1) expect(await unanswered()).toBe(true)
  expect(await unanswered()).toBe(false)
})

it('starts only one pause when several concurrent requests to a host get no response', async () => {
  const { silence, outcome, pass } = createScene()
  const fail: (() => void)[] = []
  const send = async (): Promise<never> =>
    new Promise((_, reject) => {
      fail.push(() => reject(new OutsideFailure('time', 'late')))
    })
  const together = Array.from({ length: 20 }, async () =>
    silence.unlessSilent({ url: 'https://a.test/', person: '1/2' }, send).catch(() => undefined),
  )
  pass(10)
  for (const one of fail) one()
  await Promise.all(together)
  expect(await outcome(10)).toBe(false)
  pass(FIRST_PAUSE_SECONDS)
  expect(await outcome(10)).toBe(true)
})

it('pauses only requests from the same person to the same unresponsive host', async () => {
  const { unanswered } = createScene()
  for (let count = 0; count < MAX_UNANSWERED_REQUESTS; count += 1) await unanswered()
  expect(await unanswered({ url: 'https://a.test/other' })).toBe(false)
  expect(await unanswered({ url: 'https://A.test:443/other' })).toBe(false)
  expect(await unanswered({ url: 'https://a.test:8443/' })).toBe(true)
  expect(await unanswered({ url: 'https://b.test/' })).toBe(true)
  expect(await unanswered({ person: '1/3' })).toBe(true)
})

it.each<[string, number, OutsideFailureReason | undefined]>([
  ['a late answer', 9_000, undefined],
  ['a refused connection', 5, 'connection'],
  ['an oversized answer', 9_000, 'answer'],
  ['a shutdown', 9_000, 'closing'],
])('keeps sending requests to a host after %s', async (_, milliseconds, reason) => {
  const { outcome } = createScene()
  for (let count = 0; count <= MAX_UNANSWERED_REQUESTS; count += 1)
    expect(await outcome(milliseconds, reason)).toBe(true)
})

it('pauses requests to a host with slowly failing lookups or connections', async () => {
  const { outcome } = createScene()
  await outcome(4_000, 'destination')
  await outcome(3_000, 'connection')
  await outcome(4_000, 'destination')
  expect(await outcome(10)).toBe(false)
})
