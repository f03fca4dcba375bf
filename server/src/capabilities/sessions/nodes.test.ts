import { afterAll, beforeAll, expect, it } from 'vitest'
import { signIn, TestBrowser } from '../../testing/browser.ts'
import { expectProjectionsAsLoaded } from '../../testing/projections.ts'
import { startTestServer, startTestServerOn, type TestServer } from '../../testing/server.ts'
import { TestUser } from '../../testing/user.ts'

let first: TestServer
let second: TestServer

beforeAll(async () => {
  first = await startTestServer({}, { shared: true })
  second = await startTestServerOn(first.database, {}, { shared: true })
})
afterAll(async () => {
  for (const { parley } of [first, second]) await expectProjectionsAsLoaded(parley)
  await second.close()
  await first.close()
})

/** Returns the same browser, sending its requests to the second server. */
function viaSecondServer(browser: TestBrowser): TestBrowser {
  const { host, email, apiKey, id, cookie } = browser
  return new TestBrowser(new TestUser(second.parley.url, host, email, apiKey, id), cookie)
}

it('immediately ends a session with its queues and polls on every server', async () => {
  const { owner } = await first.organization()
  const browser = await signIn(owner)
  const there = viaSecondServer(browser)
  await expect.poll(async () => (await there.try('GET', '/users/me')).status).toBe(200)
  const queue = await there.register()
  const waiting = there.try('GET', '/events', { queue_id: queue.id, last_event_id: -1 })
  await expect.poll(() => second.parley.queues.count().parked).toBe(1)
  await browser.call('POST', '/logout')
  // The poll ends with this error before its first heartbeat is due.
  expect((await waiting).body['code']).toBe('UNAUTHENTICATED_USER')
  expect((await there.try('GET', '/users/me')).status).toBe(401)
  expect(second.parley.queues.count().live).toBe(0)
})

it('accepts existing sessions on a server that starts later', async () => {
  const { owner } = await first.organization()
  const browsers = [await signIn(owner), await signIn(owner), await signIn(owner)]
  await browsers[1]?.call('POST', '/logout')
  const third = await startTestServerOn(first.database, {}, { shared: true })
  try {
    const answers = await Promise.all(
      browsers.map(({ host, email, apiKey, id, cookie }) =>
        new TestBrowser(new TestUser(third.parley.url, host, email, apiKey, id), cookie).try('GET', '/users/me'),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 200])
  } finally {
    await third.close()
  }
})
