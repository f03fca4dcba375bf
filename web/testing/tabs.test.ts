import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { createLoginLink } from '../../server/src/testing/browser.ts'
import { addressOf, openAnotherTab, countRequests, hasBrowser, openAs, setHidden, show } from './browser.ts'
import { waitUntilStored, readStoredJson, loseConnection } from './kept.ts'
import { useTeam } from './shared.ts'
import { composer, fetchContents, list, PASSWORD, say, createTeamOn, type Team } from './team.ts'

const { server, browser, openPage } = useTeam()
const team = async (options?: { readonly password: string }): Promise<Team> => createTeamOn(server(), options)

const accountButton = (page: Page, name: RegExp) => page.getByRole('button', { name }).first()

describe.skipIf(!hasBrowser)('sign-in as another person', () => {
  it('switches all tabs to the person who signs in, and sends no text of the previous person', async () => {
    const { owner, friend, channelId } = await team()
    await owner.call('POST', '/messages', { type: 'direct', to: [owner.id], content: 'For Olivia alone' })
    const path = `/c/${channelId}/t/beans`
    const leading = await openPage(owner, path)
    await composer(leading).waitFor()
    const following = await openAnotherTab(leading, '/inbox')
    // Keeps Olivia's message waiting to be sent, and her draft only in the browser.
    for (const address of ['messages', 'drafts']) {
      await leading.route(`**/api/v1/${address}`, async (route) =>
        route.request().method() === 'POST' ? route.abort() : route.continue(),
      )
    }
    await composer(leading).fill('Written by Olivia')
    await leading.keyboard.press('Control+Enter')
    await list(leading).getByText('Waiting for a connection').waitFor()
    await composer(leading).fill('Begun by Olivia')
    await expect.poll(async () => readStoredJson(leading, ['drafts'])).toContain('Begun by Olivia')
    const link = await leading.context().newPage()
    await link.goto(addressOf(friend, `/login#link=${await createLoginLink(friend)}`))
    for (const page of [link, leading, following]) await accountButton(page, /Fred Friend/).waitFor()
    await say(friend, channelId, 'beans', 'Said by Fred')
    await list(leading).getByText('Said by Fred').waitFor()
    expect(await composer(leading).inputValue()).toBe('')
    for (const page of [link, leading, following]) {
      expect(await page.getByText('For Olivia alone').count()).toBe(0)
      expect(await page.getByRole('button', { name: /Olivia Owner/ }).count()).toBe(0)
    }
    expect(await fetchContents(friend)).toEqual(['<p>Said by Fred</p>'])
    expect((await friend.call('GET', '/drafts'))['drafts']).toEqual([])
    expect(await readStoredJson(leading)).not.toContain('For Olivia alone')
    // The browser's previous session has ended.
    expect((await owner.call('GET', '/sessions'))['sessions']).toEqual([])
  })

  it('leaves all tabs unchanged after an invalid sign-in link', async () => {
    const { owner, channelId } = await team()
    const page = await openPage(owner, `/c/${channelId}/t/beans`)
    await composer(page).fill('Begun')
    await expect.poll(async () => (await owner.call('GET', '/drafts'))['count']).toBe(1)
    const link = await page.context().newPage()
    await link.goto(addressOf(owner, `/login#link=${'x'.repeat(43)}`))
    for (const tab of [link, page]) await accountButton(tab, /Olivia Owner/).waitFor()
    await expect.poll(() => composer(page).inputValue()).toBe('Begun')
  })

  it('switches all tabs to the person who signs in with the form', async () => {
    const { friend, channelId } = await team({ password: PASSWORD })
    const page = await openPage(friend, `/c/${channelId}/t/beans`)
    const other = await openAnotherTab(page, '/inbox')
    await composer(page).fill('Typed last')
    await accountButton(page, /Fred Friend/).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    for (const tab of [page, other]) await tab.getByLabel('Password').waitFor()
    expect((await friend.call('GET', '/drafts')).drafts).toMatchObject([{ content: 'Typed last' }])
    await other.getByLabel('Email address').fill('owner@example.com')
    await other.getByLabel('Password').fill(PASSWORD)
    await other.keyboard.press('Enter')
    for (const tab of [other, page]) await accountButton(tab, /Olivia Owner/).waitFor()
    expect(await page.getByRole('button', { name: /Fred Friend/ }).count()).toBe(0)
  })
})

describe.skipIf(!hasBrowser)('stored messages', () => {
  it('shows no outdated messages of a conversation that only a closed tab had open', async () => {
    const { owner, friend, channelId } = await team()
    const first = await openPage(owner, `/c/${channelId}/t/beans`)
    await composer(first).waitFor()
    const second = await openAnotherTab(first, '/inbox')
    // Sent as read, because the second tab would prefetch an unread message.
    const green = { type: 'channel', to: channelId, topic: 'peas', content: 'The peas are green', read_by_sender: true }
    const { id } = await owner.call('POST', '/messages', green)
    await show(first, `/c/${channelId}/t/peas`)
    await list(first).getByText('The peas are green').waitFor()
    await waitUntilStored(first, 'The peas are green')
    await first.close()
    await owner.call('PATCH', `/messages/${String(id)}`, { content: 'The peas are ripe' })
    await say(friend, channelId, 'beans', 'Something of beans')
    await show(second, `/c/${channelId}/t/beans`)
    await list(second).getByText('Something of beans').waitFor()
    await waitUntilStored(second, 'Something of beans')
    const context = second.context()
    await second.close()
    const third = await context.newPage()
    await third.goto(addressOf(owner, `/c/${channelId}/t/peas`))
    await list(third).getByText('The peas are ripe').waitFor()
    expect(await list(third).getByText('The peas are green').count()).toBe(0)
  })
})

/** Opens another build of the client, as after a deployment. */
async function openAnotherBuild(old: Page, address: string): Promise<Page> {
  const page = await old.context().newPage()
  const own = await old.evaluate(async (at) => (await fetch(at)).text(), address)
  const body = own.replace(/(<meta name="parley-build" content=")\w+/, '$1anotherbuild1')
  await page.route(address, async (route) => route.fulfill({ contentType: 'text/html', body }))
  await page.goto(address)
  await page.locator('#main').waitFor()
  return page
}

describe.skipIf(!hasBrowser)('tabs of two builds', () => {
  it('keeps separate state per build, and never overwrites newer state', async () => {
    const { owner, friend, channelId } = await team()
    const address = addressOf(owner, `/c/${channelId}/t/beans`)
    const old = await openPage(owner, `/c/${channelId}/t/beans`)
    await say(friend, channelId, 'beans', 'One')
    await list(old).getByText('One').waitFor()
    await expect.poll(async () => (await readStoredJson(old)).includes('One')).toBe(true)
    const registered = countRequests(old.context(), '/register')
    const next = await openAnotherBuild(old, address)
    await list(next).getByText('One').waitFor()
    expect(registered()).toBe(1)
    await expect.poll(async () => (await readStoredJson(old)).includes('anotherbuild1')).toBe(true)
    await say(friend, channelId, 'beans', 'Two')
    for (const page of [old, next]) await list(page).getByText('Two').waitFor()
    await expect.poll(async () => (await readStoredJson(old)).includes('Two')).toBe(true)
    await next.close()
    await say(friend, channelId, 'beans', 'Three')
    await list(old).getByText('Three').waitFor()
    // Hiding the tab makes the client write its state.
    await setHidden(old, true)
    expect(registered()).toBe(1)
    const again = await openAnotherBuild(old, address)
    await list(again).getByText('Three').waitFor()
    expect(await list(again).getByRole('article').count()).toBe(3)
    expect(registered()).toBe(1)
  })
})

describe.skipIf(!hasBrowser)('following tabs', () => {
  it('shows the connection state of the leading tab in other tabs', async () => {
    const { owner, friend, channelId } = await team()
    const path = `/c/${channelId}/t/beans`
    const page = await openAs(browser(), owner, path, { serviceWorkers: 'allow' })
    let queueId = ''
    page.context().on('request', (request) => {
      queueId = new URL(request.url()).searchParams.get('queue_id') ?? queueId
    })
    await composer(page).waitFor()
    const leading = await openAnotherTab(page, path)
    await loseConnection(leading)
    // The other tab leads now, and this tab opens while offline.
    await page.reload()
    for (const tab of [leading, page]) await tab.getByText('You’re offline').last().waitFor()
    await owner.call('DELETE', '/events', { queue_id: queueId })
    await page.context().setOffline(false)
    await expect.poll(() => leading.locator('.connection').count()).toBe(0)
    await say(friend, channelId, 'beans', 'Back again')
    for (const tab of [leading, page]) {
      await list(tab).getByText('Back again').waitFor()
      expect(await tab.locator('.connection').count()).toBe(0)
    }
  })

  it('takes over from a frozen leading tab when shown again', async () => {
    const { owner, friend, channelId } = await team()
    const path = `/c/${channelId}/t/beans`
    const leading = await openAs(browser(), owner, path)
    await composer(leading).waitFor()
    const following = await openAnotherTab(leading, path)
    await setHidden(following, true)
    const debug = await leading.context().newCDPSession(leading)
    await debug.send('Debugger.enable')
    await debug.send('Debugger.pause')
    await say(friend, channelId, 'beans', 'While it sleeps')
    await setHidden(following, false)
    await list(following).getByText('While it sleeps').waitFor()
    await debug.send('Debugger.resume')
    await debug.send('Debugger.disable')
    await say(friend, channelId, 'beans', 'When it is awake')
    for (const page of [leading, following]) {
      await list(page).getByText('When it is awake').waitFor()
      expect(await list(page).getByRole('article').count()).toBe(2)
    }
  })
})
