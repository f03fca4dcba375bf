import type { BrowserContext, Page, Route } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { createLoginLink } from '../../server/src/testing/browser.ts'
import type { TestUser } from '../../server/src/testing/user.ts'
import {
  accessibilityFaults,
  addressOf,
  openAnotherTab,
  closeHints,
  hasBrowser,
  openAs,
  openWindow,
  signInByCookie,
} from './browser.ts'
import { waitForServiceWorker, waitUntilStored } from './kept.ts'
import { useTeam } from './shared.ts'
import { list, say, createTeamOn } from './team.ts'
import { isTooWide } from './views.ts'

const { server, browser, makeTeam, openPage } = useTeam()

const UNREACHABLE_NOTICE = 'Can’t reach Parley. This page reconnects automatically.'
const accountButton = (page: Page, name: RegExp) => page.getByRole('button', { name }).first()

function recordQueueRequests(context: BrowserContext): string[] {
  const asked: string[] = []
  context.on('request', (request) => {
    const { pathname } = new URL(request.url())
    const isOfQueues = request.method() === 'DELETE' ? pathname.endsWith('/events') : pathname.endsWith('/register')
    if (isOfQueues) asked.push(request.method())
  })
  return asked
}

function recordMessageRequests(context: BrowserContext): string[] {
  const asked: string[] = []
  context.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname.endsWith('/api/v1/messages')) asked.push(searchParams.get('anchor') ?? '')
  })
  return asked
}

/** Opens a window in which a person is signed in, but which stores no state. */
async function signedInWindow(user: TestUser): Promise<BrowserContext> {
  await closeHints(user)
  const context = await openWindow(browser())
  const page = await context.newPage()
  await signInByCookie(page, user)
  await page.close()
  return context
}

/** Holds up to `times` requests to an address. @returns a function that releases them */
async function holdRequests(within: BrowserContext | Page, address: string, times = Infinity): Promise<() => void> {
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const holdBack = async (route: Route): Promise<void> => {
    await released
    await route.continue()
  }
  await within.route(address, holdBack, times === Infinity ? {} : { times })
  return release
}

/** Records in the page whether a text is ever shown, even briefly. */
function recordIfShown(text: string): void {
  new MutationObserver(() => {
    if (document.documentElement.textContent.includes(text)) Object.assign(globalThis, { wasShown: true })
  }).observe(document, { subtree: true, childList: true, characterData: true })
}

describe.skipIf(!hasBrowser)('client start', () => {
  it("requests state and first messages once, before the page's scripts load", async () => {
    const { owner, friend, channelId } = await makeTeam()
    await say(friend, channelId, 'beans', 'Ripe')
    const context = await signedInWindow(owner)
    const queues = recordQueueRequests(context)
    const readings = recordMessageRequests(context)
    const release = await holdRequests(context, '**/assets/app-*.js')
    const page = await context.newPage()
    const opening = page.goto(addressOf(owner, `/c/${channelId}/t/beans`))
    await expect.poll(() => [queues, readings]).toEqual([['POST'], ['first_unread']])
    release()
    await opening
    await list(page).getByText('Ripe').waitFor()
    await say(friend, channelId, 'beans', 'Picked')
    await list(page).getByText('Picked').waitFor()
    expect([queues, readings]).toEqual([['POST'], ['first_unread']])
  })

  it('retries a failed request for first messages, and sends none in views without messages', async () => {
    const { owner, friend, channelId } = await makeTeam()
    await say(friend, channelId, 'beans', 'Ripe')
    const context = await signedInWindow(owner)
    const readings = recordMessageRequests(context)
    await context.route('**/api/v1/messages?*', async (route) => route.abort(), { times: 1 })
    const page = await context.newPage()
    await page.goto(addressOf(owner, `/c/${channelId}/t/beans`))
    await list(page).getByText('Ripe').waitFor()
    expect(readings).toEqual(['first_unread', 'first_unread'])
    const empty = await signedInWindow(owner)
    const none = recordMessageRequests(empty)
    const channels = await empty.newPage()
    await channels.goto(addressOf(owner, '/channels'))
    await channels.getByRole('heading', { name: 'Channels' }).waitFor()
    expect(none).toEqual([])
  })

  it('does not request state that the browser has stored', async () => {
    const { owner, friend, channelId } = await makeTeam()
    await say(friend, channelId, 'beans', 'Ripe')
    const page = await openPage(owner, `/c/${channelId}/t/beans`)
    await waitUntilStored(page, 'Ripe')
    const queues = recordQueueRequests(page.context())
    await page.reload()
    await list(page).getByText('Ripe').waitFor()
    await say(friend, channelId, 'beans', 'Picked')
    await list(page).getByText('Picked').waitFor()
    expect(queues).toEqual([])
  })

  it('deletes a requested event queue if the browser turns out to have stored state', async () => {
    const { owner, friend, channelId } = await makeTeam()
    await say(friend, channelId, 'beans', 'Ripe')
    const page = await openPage(owner, `/c/${channelId}/t/beans`)
    await waitUntilStored(page, 'Ripe')
    const queues = recordQueueRequests(page.context())
    await page.evaluate(() => localStorage.removeItem('parley-state'))
    await page.reload()
    await list(page).getByText('Ripe').waitFor()
    await expect.poll(() => queues).toEqual(['POST', 'DELETE'])
    // The following tab gets the state from the leading tab.
    await page.evaluate(() => localStorage.removeItem('parley-state'))
    const following = await openAnotherTab(page, `/c/${channelId}/t/beans`)
    await expect.poll(() => queues).toEqual(['POST', 'DELETE', 'POST', 'DELETE'])
    await say(friend, channelId, 'beans', 'Picked')
    for (const tab of [page, following]) await list(tab).getByText('Picked').waitFor()
  })

  it('registers an event queue again if the server was unreachable', async () => {
    const { owner } = await makeTeam()
    const context = await signedInWindow(owner)
    const queues = recordQueueRequests(context)
    await context.route('**/api/v1/register', async (route) => route.abort(), { times: 1 })
    const page = await context.newPage()
    await page.goto(addressOf(owner, '/inbox'))
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    expect(queues).toEqual(['POST', 'POST'])
  })

  it('shows a connection notice if no state is stored, and retries by itself', async () => {
    const { owner } = await createTeamOn(server())
    const page = await openAs(browser(), owner, '/inbox', { serviceWorkers: 'allow' })
    await waitForServiceWorker(page)
    const context = page.context()
    await page.goto('about:blank')
    const session = await context.newCDPSession(page)
    const { origin } = new URL(addressOf(owner))
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb,local_storage' })
    await context.setOffline(true)
    const queues = recordQueueRequests(context)
    const other = await context.newPage()
    const tabs = [page, other]
    for (const tab of tabs) {
      await tab.goto(addressOf(owner, '/inbox'))
      await tab.getByRole('status').getByText(UNREACHABLE_NOTICE).waitFor()
    }
    expect([await accessibilityFaults(page), await isTooWide(page)]).toEqual([[], false])
    for (const tab of tabs) {
      const before = queues.length
      await tab.getByRole('button', { name: 'Try again' }).click()
      await expect.poll(() => queues.length).toBeGreaterThan(before)
      await tab.getByRole('status').getByText(UNREACHABLE_NOTICE).waitFor()
    }
    await context.setOffline(false)
    for (const tab of tabs) await tab.getByRole('heading', { name: 'Inbox' }).waitFor()
    expect(await page.getByText(UNREACHABLE_NOTICE).count()).toBe(0)
  })

  it('reports an unreachable server, and discards its late answer', async () => {
    const { owner, friend, channelId } = await makeTeam()
    await say(friend, channelId, 'beans', 'Ripe')
    const context = await signedInWindow(owner)
    const queues = recordQueueRequests(context)
    const release = await holdRequests(context, '**/api/v1/register', 1)
    const page = await context.newPage()
    await page.goto(addressOf(owner, `/c/${channelId}/t/beans`))
    await page.getByRole('status').getByText('Loading…').waitFor()
    await page.getByRole('status').getByText(UNREACHABLE_NOTICE).waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await list(page).getByText('Ripe').waitFor()
    expect(queues).toEqual(['POST', 'POST'])
    release()
    await expect.poll(() => queues).toEqual(['POST', 'POST', 'DELETE'])
    expect(await list(page).getByText('Ripe').count()).toBe(1)
  })

  it('waits for a connection on signed-out pages', async () => {
    const { owner } = await makeTeam()
    const page = await (await openWindow(browser())).newPage()
    await page.route('**/api/v1/join/organization', async (route) => route.abort(), { times: 1 })
    await page.goto(addressOf(owner, '/join'))
    await page.getByRole('status').getByText(UNREACHABLE_NOTICE).waitFor()
    await page.getByText('You need an invitation to join.').waitFor()
    expect(await page.getByText(UNREACHABLE_NOTICE).count()).toBe(0)
  })

  it('requests an event queue only once if no one is signed in', async () => {
    const { owner } = await makeTeam()
    const context = await openWindow(browser())
    const queues = recordQueueRequests(context)
    const page = await context.newPage()
    await page.goto(addressOf(owner, '/inbox'))
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    expect(queues).toEqual(['POST'])
  })

  it("shows none of the previous person's messages if another person signs in during startup", async () => {
    const { owner, friend } = await makeTeam()
    await owner.call('POST', '/messages', { type: 'direct', to: [owner.id], content: 'For Olivia alone' })
    const context = await signedInWindow(owner)
    const queues = recordQueueRequests(context)
    const release = await holdRequests(context, '**/assets/app-*.js')
    const page = await context.newPage()
    const opening = page.goto(addressOf(owner, '/inbox'))
    await expect.poll(() => queues).toEqual(['POST'])
    const link = await context.newPage()
    const signing = link.goto(addressOf(friend, `/login#link=${await createLoginLink(friend)}`))
    release()
    await Promise.all([opening, signing])
    for (const tab of [page, link]) await accountButton(tab, /Fred Friend/).waitFor()
    for (const tab of [page, link]) expect(await tab.getByText('For Olivia alone').count()).toBe(0)
  })

  it('shows no messages of the previous person at an address that both people can open', async () => {
    const { owner, friend } = await createTeamOn(server())
    await owner.call('POST', '/messages', { type: 'direct', to: [owner.id], content: 'For Olivia alone' })
    await friend.call('POST', '/messages', { type: 'direct', to: [owner.id], content: 'From Fred' })
    const context = await signedInWindow(owner)
    const page = await context.newPage()
    await page.addInitScript(recordIfShown, 'For Olivia alone')
    const release = await holdRequests(page, '**/assets/app-*.js')
    const isAnswered = page.waitForResponse((response) => response.url().includes('/api/v1/messages?'))
    const opening = page.goto(addressOf(owner, `/dm/${owner.id}`))
    await isAnswered
    const link = await context.newPage()
    await link.goto(addressOf(friend, `/login#link=${await createLoginLink(friend)}`))
    await accountButton(link, /Fred Friend/).waitFor()
    release()
    await opening
    await list(page).getByText('From Fred').waitFor()
    expect(await page.evaluate(() => 'wasShown' in globalThis)).toBe(false)
  })
})
