import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { TestUser } from '../../server/src/testing/user.ts'
import { addressOf, openAnotherTab, hasBrowser, openAs, show } from './browser.ts'
import { composer, fetchContents, list, say, createTeamOn, withNewcomer } from './team.ts'
import { useTeam } from './shared.ts'
import { waitUntilStored, loseConnection } from './kept.ts'

const { server, browser, team, visit, openPage } = useTeam()

/** Shows a topic in a page that goes offline after loading every chunk that a test needs. */
async function openOffline(user: TestUser, channelId: number): Promise<Page> {
  const page = await openPage(user, '/writing')
  await page.getByText('No drafts or scheduled messages').waitFor()
  await show(page, `/c/${channelId}/t/beans`)
  await composer(page).waitFor()
  await page.context().setOffline(true)
  return page
}

describe.skipIf(!hasBrowser)('drafts', () => {
  it('keeps the draft of a tab that closed offline, and saves it only once when two tabs reconnect', async () => {
    const { owner, channelId } = await createTeamOn(server())
    const path = `/c/${channelId}/t/beans`
    const page = await openAs(browser(), owner, path, { serviceWorkers: 'allow' })
    await composer(page).waitFor()
    await waitUntilStored(page, 'last_event_id')
    await loseConnection(page)
    await composer(page).fill('Nearly lost')
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    const again = await page.context().newPage()
    await page.close()
    await again.goto(addressOf(owner, path))
    await expect.poll(() => composer(again).inputValue()).toBe('Nearly lost')
    const other = await openAnotherTab(again, path)
    await expect.poll(() => composer(other).inputValue()).toBe('Nearly lost')
    const unsaved = [again, other].map((tab) => tab.getByRole('main').getByText('Saved in this browser only'))
    for (const tab of [again, other]) await show(tab, '/writing')
    for (const label of unsaved) await label.waitFor()
    await again.context().setOffline(false)
    for (const label of unsaved) await label.waitFor({ state: 'detached' })
    expect((await owner.call('GET', '/drafts'))['count']).toBe(1)
  })

  it('keeps one draft per destination, and restores an earlier version of the draft', async () => {
    const { owner, channelId } = await team()
    const page = await visit(owner, `/c/${channelId}/t/squash`)
    await composer(page).fill('About beans')
    await expect.poll(async () => JSON.stringify(await owner.call('GET', '/drafts'))).toContain('About beans')
    await show(page, `/c/${channelId}/t/peas`)
    await expect.poll(() => composer(page).inputValue()).toBe('')
    await composer(page).fill('Newer')
    const topic = page.getByRole('combobox', { name: 'Topic' })
    await topic.fill('squash')
    await topic.press('Enter')
    await expect
      .poll(async () => JSON.stringify(await owner.call('GET', '/drafts')))
      .toMatch(/"topic":"squash","content":"Newer"/)
    await show(page, '/writing')
    const main = page.getByRole('main')
    await main.getByRole('heading', { name: 'Earlier versions' }).waitFor()
    await main.getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('heading', { name: /squash/ }).waitFor()
    await expect.poll(() => composer(page).inputValue()).toBe('About beans')
    await show(page, '/writing')
    await expect.poll(() => main.getByRole('listitem').filter({ hasText: 'Newer' }).count()).toBe(1)
  })

  it('updates a draft in other tabs and browsers as it is typed', async () => {
    const { owner, channelId } = await team()
    const path = `/c/${channelId}/t/tulips`
    const page = await visit(owner, path)
    const tab = await openAnotherTab(page, path)
    const other = await openPage(owner, path)
    await composer(tab).waitFor()
    await composer(page).fill('From here')
    await expect.poll(() => composer(tab).inputValue()).toBe('From here')
    await expect.poll(() => composer(other).inputValue()).toBe('From here')
    await composer(other).fill('From there')
    await expect.poll(() => composer(page).inputValue()).toBe('From there')
    await expect.poll(() => composer(tab).inputValue()).toBe('From there')
  })

  it('returns to the draft of the open conversation when the sidebar link to the conversation is clicked', async () => {
    const { owner, friend, channelId } = await team()
    await say(friend, channelId, 'leeks', 'One')
    const page = await visit(owner, `/c/${channelId}/t/leeks`)
    await composer(page).fill('About leeks')
    await page.getByRole('combobox', { name: 'Topic' }).fill('chives')
    await page.getByRole('combobox', { name: 'Topic' }).press('Enter')
    await page.getByRole('textbox', { name: 'Message to chives in garden' }).fill('About chives')
    await page.getByRole('navigation', { name: 'Conversations' }).getByRole('link', { name: 'leeks' }).click()
    await page.getByRole('textbox', { name: 'Message to leeks in garden' }).fill('More about leeks')
    await show(page, `/c/${channelId}/t/chives`)
    await expect.poll(() => composer(page).inputValue()).toBe('About chives')
  })

  it('keeps a single draft in two browsers when its topic is resolved and then unresolved', async () => {
    const { owner, friend, channelId } = await withNewcomer(await team())
    const id = await say(friend, channelId, 'onions', 'One')
    const page = await openPage(owner, `/c/${channelId}/t/onions`)
    const other = await openPage(owner, `/c/${channelId}/t/onions`)
    const rename = async (topic: string) =>
      friend.call('PATCH', `/messages/${id}`, { topic, propagate_mode: 'change_all' })
    const drafts = async () => JSON.stringify((await owner.call('GET', '/drafts')).drafts)
    const isAt = async (topic: string, content: string): Promise<void> => {
      const draft = { type: 'stream', to: [channelId], topic, content }
      await expect.poll(async () => (await owner.call('GET', '/drafts')).drafts).toMatchObject([draft])
      for (const tab of [page, other]) {
        await tab.getByRole('heading', { level: 1, name: topic.replace('✔ ', '') }).waitFor()
        await expect.poll(() => composer(tab).inputValue()).toBe(content)
      }
    }
    // Renames the topic before the server has a draft.
    await composer(page).fill('Half')
    await rename('✔ onions')
    await rename('onions')
    await isAt('onions', 'Half')
    await composer(page).fill('Half a')
    for (const topic of ['✔ onions', 'onions', '✔ onions']) await rename(topic)
    await isAt('✔ onions', 'Half a')
    // In other views, and without a visible tab, the draft moves too.
    for (const tab of [page, other]) await show(tab, '/inbox')
    await composer(page).waitFor({ state: 'detached' })
    await rename('red onions')
    await expect.poll(drafts).toContain('"topic":"red onions"')
    for (const tab of [page, other]) await show(tab, `/c/${channelId}/t/red onions`)
    await isAt('red onions', 'Half a')
  })
})

/** Ways to end a page before its timers fire. */
const PAGE_ENDINGS = {
  reload: async (page: Page) => page.reload(),
  navigation: async (page: Page) => page.goto('about:blank'),
  closing: async (page: Page) => page.close(),
  async crash(page: Page) {
    const isOver = page.waitForEvent('crash')
    const debug = await page.context().newCDPSession(page)
    debug.send('Page.crash').catch(() => undefined)
    await isOver
    await page.close()
  },
} as const

describe.skipIf(!hasBrowser)('text typed just before a page closes', () => {
  const edit = (tab: Page) => tab.getByRole('textbox', { name: 'Edit message' })
  const text = 'Typed without a pause, sixty letters long, and then the end.'

  it('keeps a draft and an edit through a reload, a navigation, a closed tab, and a crash', async () => {
    const { owner, channelId } = await team()
    const stay = await openPage(owner, '/inbox')
    // Only this browser has the text.
    await stay.context().route('**/api/v1/drafts**', async (route) => route.abort())
    let page = await openAnotherTab(stay, '/inbox')
    for (const [name, end] of Object.entries(PAGE_ENDINGS)) {
      const path = `/c/${channelId}/t/${name}`
      await say(owner, channelId, name, 'A bean')
      await show(page, path)
      await list(page).getByText('A bean').waitFor()
      await list(page).getByRole('article').press('e')
      await edit(page).pressSequentially(' and a pea')
      await composer(page).focus()
      await page.keyboard.type(text)
      await end(page)
      const again = await openAnotherTab(stay, path)
      await expect.poll(() => composer(again).inputValue()).toBe(text)
      await expect.poll(() => edit(again).inputValue()).toBe('A bean and a pea')
      page = again
    }
    await show(stay, `/c/${channelId}/t/crash`)
    expect(await composer(stay).inputValue()).toBe(text)
  })
})

describe.skipIf(!hasBrowser)('list of drafts', () => {
  const rows = (page: Page) => page.getByRole('main').getByRole('listitem')
  const draftsOf = async (user: TestUser) => (await user.call('GET', '/drafts'))['count']

  it('lists drafts stored only in this browser, and saves them when it reconnects', async () => {
    const { owner, channelId } = await withNewcomer(await team())
    const page = await openOffline(owner, channelId)
    await composer(page).fill('Only here')
    await show(page, '/writing')
    const row = rows(page).filter({ hasText: 'Only here' })
    await row.getByText('Saved in this browser only').waitFor()
    await row.getByRole('button', { name: 'Delete: beans in garden' }).click()
    await page.getByText('No drafts or scheduled messages').waitFor()
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
    await row.getByRole('button', { name: 'Continue' }).press('Enter')
    await expect.poll(() => composer(page).inputValue()).toBe('Only here')
    await expect.poll(() => composer(page).evaluate((field) => field === document.activeElement)).toBe(true)
    await show(page, '/writing')
    await row.getByText('Saved in this browser only').waitFor()
    await page.context().setOffline(false)
    await expect.poll(async () => draftsOf(owner)).toBe(1)
    await expect.poll(() => row.getByText('Saved in this browser only').count()).toBe(0)
    expect(await row.count()).toBe(1)
  })

  it('saves one draft per destination even if events do not arrive', async () => {
    const { owner, channelId } = await withNewcomer(await team())
    const page = await openPage(owner, `/c/${channelId}/t/beans`)
    await page.route('**/api/v1/events*', async (route) => route.abort())
    await page.reload()
    await composer(page).fill('Once')
    await expect.poll(async () => draftsOf(owner)).toBe(1)
    await composer(page).fill('Once only')
    await expect.poll(async () => JSON.stringify(await owner.call('GET', '/drafts'))).toContain('Once only')
    expect(await draftsOf(owner)).toBe(1)
  })

  it('opens drafts by keyboard alone', async () => {
    const { owner, channelId } = await team()
    for (const topic of ['onions', 'leeks']) {
      const draft = { type: 'stream', to: [channelId], topic, content: `About ${topic}` }
      await owner.call('POST', '/drafts', { drafts: [draft] })
    }
    const page = await openPage(owner, '/inbox')
    await page.getByRole('main').getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.keyboard.press('d')
    await expect.poll(() => page.locator(':focus').innerText()).toMatch(/leeks|onions/)
    const first = await page.locator(':focus').innerText()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => page.locator(':focus').innerText()).not.toBe(first)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    const topic = first.includes('leeks') ? 'leeks' : 'onions'
    await expect.poll(() => composer(page).inputValue()).toBe(`About ${topic}`)
  })

  it('lists a draft without a recipient, and continues it', async () => {
    const { owner } = await team()
    const page = await visit(owner, '/inbox')
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.keyboard.press('x')
    await composer(page).fill('For somebody')
    await page.getByRole('button', { name: 'Close and keep draft' }).click()
    await show(page, '/writing')
    const row = rows(page).filter({ hasText: 'For somebody' })
    await row.getByText('No recipient').waitFor()
    await row.getByRole('button', { name: 'Continue' }).click()
    await expect.poll(() => composer(page).inputValue()).toBe('For somebody')
  })

  it('edits, deletes, and restores a scheduled message', async () => {
    const { owner, channelId } = await team()
    const at = Math.floor(Date.now() / 1000) + 86_400
    const later = { type: 'channel', to: channelId, topic: 'beans', scheduled_delivery_timestamp: at }
    await owner.call('POST', '/scheduled_messages', { ...later, content: 'Good morning' })
    const page = await visit(owner, '/writing')
    const scheduled = rows(page).filter({ hasText: 'Good morning' })
    await scheduled.getByText(/^Tomorrow at \d/).waitFor()
    await scheduled.getByRole('button', { name: /^Delete/ }).click()
    await expect.poll(() => scheduled.count()).toBe(0)
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
    await scheduled.getByRole('button', { name: 'Edit' }).click()
    await expect.poll(() => composer(page).inputValue()).toBe('Good morning')
    expect(await owner.call('GET', '/scheduled_messages')).toMatchObject({ scheduled_messages: [] })
  })
})

describe.skipIf(!hasBrowser)('unsent messages', () => {
  it('lists unsent messages oldest first, and edits them', async () => {
    const { owner, friend, channelId } = await withNewcomer(await team())
    const page = await openOffline(owner, channelId)
    for (const text of ['First', 'Second']) {
      await composer(page).fill(text)
      await page.keyboard.press('Control+Enter')
    }
    await list(page).getByText('Waiting for a connection').first().waitFor()
    await show(page, '/writing')
    const main = page.getByRole('main')
    await main.getByRole('heading', { name: 'Not sent yet' }).waitFor()
    expect((await main.getByRole('listitem').allTextContents()).map((text) => /First|Second/.exec(text)?.[0])).toEqual([
      'First',
      'Second',
    ])
    await main.getByRole('listitem').filter({ hasText: 'First' }).getByRole('button', { name: 'Edit' }).click()
    await expect.poll(() => composer(page).inputValue()).toBe('First')
    await composer(page).fill('Third')
    await page.keyboard.press('Control+Enter')
    await page.context().setOffline(false)
    await expect.poll(async () => (await fetchContents(friend)).slice(-2)).toEqual(['<p>Second</p>', '<p>Third</p>'])
    expect(await fetchContents(friend)).not.toContain('<p>First</p>')
    await show(page, '/writing')
    await page.getByText('No drafts or scheduled messages').waitFor()
  })
})
