import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { TestUser } from '../../server/src/testing/user.ts'
import { hasBrowser, show } from './browser.ts'
import { composer, fetchContents, list, withNewcomer } from './team.ts'
import { useTeam } from './shared.ts'

const { team, visit, openPage } = useTeam()

/** Shows a topic in a page that goes offline after loading every chunk that a test needs. */
async function openOffline(user: TestUser, channelId: number): Promise<Page> {
  const page = await openPage(user, '/writing')
  await page.getByText('No drafts or scheduled messages').waitFor()
  await show(page, `/c/${channelId}/t/beans`)
  await composer(page).waitFor()
  await page.context().setOffline(true)
  return page
}

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

  it('deletes, restores, edits, moves, and sends a scheduled message', async () => {
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
    const editor = page.getByRole('textbox', { name: 'Edit message' })
    await editor.fill('Good morning, and a PS')
    // Looking something up keeps the text and the schedule.
    await show(page, '/inbox')
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await show(page, '/writing')
    await expect.poll(() => editor.inputValue()).toBe('Good morning, and a PS')
    const stored = async () => (await owner.call('GET', '/scheduled_messages')).scheduled_messages
    expect(await stored()).toMatchObject([{ content: 'Good morning' }])
    await page.getByRole('main').getByRole('button', { name: 'Save' }).click()
    await scheduled.getByText('Good morning, and a PS').waitFor()
    expect(await stored()).toMatchObject([{ content: 'Good morning, and a PS', scheduled_delivery_timestamp: at }])
    await scheduled.getByRole('button', { name: 'Change time' }).click()
    await page.getByRole('menuitem', { name: 'In an hour' }).click()
    await scheduled.getByText(/^Tomorrow at/).waitFor({ state: 'detached' })
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).last().click()
    await scheduled.getByText(/^Tomorrow at/).waitFor()
    expect(await stored()).toMatchObject([{ scheduled_delivery_timestamp: at }])
    await scheduled.getByRole('button', { name: 'Send now' }).click()
    await list(page).getByText('Good morning, and a PS').waitFor()
    expect(await stored()).toEqual([])
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
