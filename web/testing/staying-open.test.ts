import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { portOf } from '../../server/src/testing/free-port.ts'
import { startTestServer, startTestServerOn } from '../../server/src/testing/server.ts'
import {
  addressOf,
  openAnotherTab,
  countRequests,
  hasBrowser,
  LOCAL_DOMAIN,
  openAs,
  openWindow,
  show,
  signInByCookie,
} from './browser.ts'
import { waitForServiceWorker, waitUntilStored, loseConnection } from './kept.ts'
import { useTeam } from './shared.ts'
import { composer, fetchContents, list, say, createTeamOn, type Team } from './team.ts'

const { server, browser, openPage } = useTeam()
const team = async (): Promise<Team> => createTeamOn(server())

describe.skipIf(!hasBrowser)('long-lived tabs', () => {
  it('keeps tabs working after a deployment, and offers to reload them', async () => {
    const { owner, friend, channelId } = await team()
    const page = await openPage(owner, `/c/${channelId}/t/beans`)
    await composer(page).waitFor()
    await page.route('**/login', async (route) => {
      const body = '<!doctype html><meta name="parley-build" content="anotherbuild1" />'
      await route.fulfill({ contentType: 'text/html', body })
    })
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await page.getByText('A new version of Parley is available').waitFor()
    await say(friend, channelId, 'beans', 'Still here')
    await list(page).getByText('Still here').waitFor()
    await page.getByRole('button', { name: 'Reload' }).click()
    await list(page).getByText('Still here').waitFor()
    expect(await page.getByText('A new version of Parley is available').count()).toBe(0)
  })

  it('serves the new build to new tabs while an old tab keeps the old build', async () => {
    const { owner, channelId } = await team()
    const { port, deploy } = await startBuildProxy(new URL(addressOf(owner, '/')))
    const old = await (await openWindow(browser(), { serviceWorkers: 'allow' })).newPage()
    await signInByCookie(old, owner)
    const address = new URL(addressOf(owner, `/c/${channelId}/t/beans`))
    address.port = String(port)
    await old.goto(address.href)
    await composer(old).waitFor()
    await waitForServiceWorker(old)
    deploy(await old.locator('meta[name="parley-build"]').getAttribute('content'))
    await old.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready
      await registration.update()
    })
    await expect.poll(async () => old.evaluate(async () => (await caches.keys()).join())).toBe('parley-anotherbuild1')
    const next = await openAnotherTab(old, address.pathname)
    const build = next.locator('meta[name="parley-build"]')
    expect(await build.getAttribute('content')).toBe('anotherbuild1')
    await composer(old).fill('Still here')
    await old.keyboard.press('Control+Enter')
    for (const page of [old, next]) await list(page).getByText('Still here').waitFor()
  })

  it('reconnects after a server outage without missing messages', async () => {
    const away = await startTestServer(LOCAL_DOMAIN)
    const organization = await away.organization('Away')
    const { owner } = organization
    await owner.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'garden' }] })
    const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'garden' })
    const page = await openAs(browser(), owner, `/c/${String(stream_id)}/t/beans`, { serviceWorkers: 'allow' })
    await composer(page).waitFor()
    // Prevents the console error of a server that stops while the browser fetches the service worker.
    await waitForServiceWorker(page)
    await away.parley.close()
    await composer(page).fill('Written while it was away')
    await page.keyboard.press('Control+Enter')
    await list(page).getByText('Waiting for a connection').waitFor()
    const again = await startTestServerOn(away.database, { ...LOCAL_DOMAIN, PORT: new URL(owner.url).port })
    onTestFinished(async () => again.close())
    await owner.call('POST', '/messages', { type: 'channel', to: stream_id, topic: 'beans', content: 'Said meanwhile' })
    await list(page).getByText('Said meanwhile').waitFor()
    await expect.poll(() => list(page).getByText('Waiting for a connection').count()).toBe(0)
    const contents = await fetchContents(owner)
    expect(contents.toSorted()).toEqual(['<p>Said meanwhile</p>', '<p>Written while it was away</p>'])
  })

  it('shows that the browser is offline, and loads missing content once it is online', async () => {
    const { owner, friend, channelId } = await team()
    await say(friend, channelId, 'beans', 'A bean')
    const page = await openAs(browser(), owner, '/recent', { serviceWorkers: 'allow' })
    await page.getByRole('link', { name: /beans/ }).first().waitFor()
    await show(page, '/inbox')
    await loseConnection(page)
    const notice = page.getByRole('paragraph').filter({ hasText: 'You’re offline.' })
    await notice.waitFor()
    await show(page, '/recent')
    await page.getByRole('alert').getByText('This will load when you reconnect.').waitFor()
    await page.context().setOffline(false)
    await page.getByRole('main').getByRole('link', { name: /beans/ }).waitFor()
    await expect.poll(() => notice.count()).toBe(0)
    await show(page, `/c/${channelId}/t/beans`)
    await say(friend, channelId, 'beans', 'Another bean')
    await list(page).getByText('Another bean').waitFor()
  })

  it('updates day names such as Today at midnight', async () => {
    const { owner, friend, channelId } = await team()
    await say(friend, channelId, 'beans', 'Good night')
    const page = await openPage(owner, `/c/${channelId}/t/beans`)
    await list(page).getByText('Good night').waitFor()
    const midnight = await page.evaluate(() => new Date().setHours(24, 0, 0, 0))
    await page.clock.install({ time: midnight - 30_000 })
    await page.reload()
    await list(page).getByText('Today', { exact: true }).waitFor()
    await page.clock.runFor(31_000)
    await list(page).getByText('Yesterday', { exact: true }).waitFor()
    expect(await list(page).getByText('Today', { exact: true }).count()).toBe(0)
    await page.clock.setSystemTime(midnight + 86_400_000)
    await page.clock.runFor(60_000)
    await expect.poll(async () => list(page).getByText('Yesterday', { exact: true }).count()).toBe(0)
  })

  it('reloads all state after an invalid event, without a connection notice', async () => {
    const { owner, friend, channelId } = await team()
    const path = `/c/${channelId}/t/beans`
    const page = await openPage(owner, path, { expectedError: /TypeError/ })
    await say(friend, channelId, 'beans', 'Before')
    await list(page).getByText('Before').waitFor()
    await waitUntilStored(page, 'Before')
    const registered = countRequests(page.context(), '/register')
    let broken: string | undefined
    await page.route('**/api/v1/events?*', async (route) => {
      const queueId = new URL(route.request().url()).searchParams.get('queue_id') ?? ''
      broken ??= queueId
      if (queueId !== broken || route.request().method() !== 'GET') return route.fallback()
      const events = [{ id: 2 ** 50, type: 'message' }]
      return route.fulfill({ json: { result: 'success', msg: '', events } })
    })
    await page.reload()
    await expect.poll(registered).toBe(1)
    await say(friend, channelId, 'beans', 'After')
    await list(page).getByText('After').waitFor()
    expect(await page.locator('.connection').count()).toBe(0)
    expect(registered()).toBe(1)
  })

  it.each([
    ['without stored state', 'register', 'No such parameter'],
    ['with stored messages', 'events?*', 'No such address'],
  ])('reports that the server refuses updates, and offers to reload: %s', async (_, address, msg) => {
    const { owner, friend, channelId } = await team()
    await say(friend, channelId, 'beans', 'Before')
    const page = await openPage(owner, `/c/${channelId}/t/beans`)
    await list(page).getByText('Before').waitFor()
    await waitUntilStored(page, 'Before')
    if (address === 'register') await page.evaluate(() => indexedDB.deleteDatabase('parley'))
    await page.route(`**/api/v1/${address}`, async (route) =>
      route.fulfill({ status: 400, json: { result: 'error', msg, code: 'BAD_REQUEST' } }),
    )
    await page.reload()
    await page.getByText(`Live updates stopped: ${msg}`).first().waitFor()
    expect(await list(page).getByText('Before').count()).toBe(address === 'register' ? 0 : 1)
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Reload' }).focus()
    await page.keyboard.press('Enter')
    await say(friend, channelId, 'beans', 'After')
    await list(page).getByText('After').waitFor()
    expect(await page.getByText('Live updates stopped').count()).toBe(0)
  })
})

/** Proxies a server. @returns the proxy's port, and a function that makes it serve a given build as another build */
async function startBuildProxy(origin: URL): Promise<{ port: number; deploy: (from: string | null) => void }> {
  let before: string | null = null
  const proxy = createServer((received, response) => {
    const { url: path, method, headers } = received
    const plain = { ...headers, 'accept-encoding': 'identity' }
    const sent = request({ port: origin.port, path, method, headers: plain }, (answer) => {
      const { statusCode = 0, headers: answered } = answer
      const isOfBuild = /text\/html/.test(answered['content-type'] ?? '') || path === '/sw.js'
      if (before === null || !isOfBuild) {
        response.writeHead(statusCode, answered)
        answer.pipe(response)
        return
      }
      const build = before
      const { 'content-length': _length, etag: _etag, ...others } = answered
      text(answer).then(
        (body) => response.writeHead(statusCode, others).end(body.replaceAll(build, 'anotherbuild1')),
        () => response.destroy(),
      )
    })
    sent.on('error', () => response.destroy())
    response.on('close', () => sent.destroy())
    received.pipe(sent)
  })
  proxy.listen(0)
  await once(proxy, 'listening')
  onTestFinished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return { port: portOf(proxy), deploy: (build) => (before = build) }
}
