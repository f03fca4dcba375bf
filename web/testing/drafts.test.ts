import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { addressOf, openAnotherTab, hasBrowser, openAs, show } from './browser.ts'
import { composer, list, say, createTeamOn, withNewcomer } from './team.ts'
import { useTeam } from './shared.ts'
import { waitUntilStored, loseConnection } from './kept.ts'

const { server, browser, team, visit, openPage } = useTeam()

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

  it('marks drafts in the sidebar, where the link to the open conversation returns to its draft', async () => {
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
    const sidebar = page.getByRole('navigation', { name: 'Conversations' })
    for (const name of [/^garden ?, draft/, /^leeks ?, draft/]) await sidebar.getByRole('link', { name }).waitFor()
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
