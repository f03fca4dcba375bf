import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { accessibilityFaults, hasBrowser, show } from './browser.ts'
import { useTeam } from './shared.ts'
import { waitUntilStored, readStoredJson } from './kept.ts'
import {
  composer,
  hasComposerFocus,
  fetchContents,
  hasRead,
  list,
  createChannel,
  createNewcomer,
  say,
  type Team,
} from './team.ts'

const { team, visit } = useTeam()

/** Returns the team after both people have read everything, so that feeds open at the newest message. */
async function teamWithAllRead(): Promise<Team> {
  const calm = await team()
  for (const person of [calm.owner, calm.friend]) await person.call('POST', '/mark_all_as_read')
  return calm
}

const feed = (page: Page) => page.getByRole('region', { name: 'Messages', exact: true })
const replyButton = (page: Page, where: string) => page.getByRole('button', { name: `Reply to ${where}` })

describe.skipIf(!hasBrowser)('message feeds', () => {
  it.each([320, 1280])('keeps the topmost conversation header in view in a feed at %i px', async (width) => {
    const { owner, friend } = await teamWithAllRead()
    const channelId = await createChannel(owner, `bed ${width}`, [friend])
    for (let index = 0; index < 30; index += 1) await say(friend, channelId, 'beans', `Bean ${index}`)
    await say(friend, channelId, 'peas', 'A pea')
    const page = await visit(owner, '/feed', { viewport: { width, height: 700 } })
    const bedGroup = (topic: string) => feed(page).getByRole('group', { name: `${topic} in bed ${width}` })
    const beans = bedGroup('beans')
    const bar = beans.getByRole('link', { name: /beans$/ })
    await beans
      .getByText('Bean 20', { exact: true })
      .focus()
      .catch(() => undefined)
    await beans.getByRole('article').filter({ hasText: 'Bean 20' }).focus()
    const topOf = async (what: typeof bar): Promise<number> => (await what.boundingBox())?.y ?? Number.NaN
    const edge = await page.locator('.list').evaluate((element) => element.getBoundingClientRect().top)
    await expect.poll(async () => Math.abs((await topOf(bar)) - edge)).toBeLessThan(12)
    // Moving up by keyboard never leaves the focused message behind the header.
    for (let step = 0; step < 12; step += 1) {
      await page.keyboard.press('k')
      expect(await topOf(page.locator(':focus'))).toBeGreaterThan(edge + 36)
    }
    expect(await accessibilityFaults(page)).toEqual([])
    await beans.getByText('30 unread').waitFor()
    await bar.click()
    await list(page).getByText('Bean 0').waitFor()
    expect(page.url()).toContain('/t/beans?near=')
    await page.goBack()
    await beans.getByRole('button', { name: `More: beans in bed ${width}` }).click()
    await page.getByRole('menuitem', { name: 'Mute topic' }).click()
    await expect.poll(async () => beans.count()).toBe(0)
    await say(friend, channelId, 'beans', 'A muted bean')
    await say(friend, channelId, 'peas', 'Another pea')
    await bedGroup('peas').getByText('Another pea').waitFor()
    expect(await feed(page).getByText('A muted bean').count()).toBe(0)
  })

  it('removes messages of a private channel from a feed when the person is removed from the channel', async () => {
    const { owner, friend, channelId } = await teamWithAllRead()
    const cellar = await createChannel(owner, 'cellar', [friend], { invite_only: true })
    await say(owner, channelId, 'stairs', 'Beside the stairs')
    await say(owner, cellar, 'gold', 'Buried under the stairs')
    const page = await visit(friend, `/c/${cellar}/t/gold`)
    await list(page).getByText('Buried under the stairs').waitFor()
    await show(page, '/feed')
    await feed(page).getByText('Buried under the stairs').waitFor()
    await waitUntilStored(page, 'Buried under the stairs')
    await owner.call('DELETE', '/users/me/subscriptions', { subscriptions: ['cellar'], principals: [friend.id] })
    await expect.poll(async () => page.getByText('Buried under the stairs').count()).toBe(0)
    await feed(page).getByText('Beside the stairs').waitFor()
    await expect.poll(async () => (await readStoredJson(page)).includes('Buried under the stairs')).toBe(false)
    await show(page, '/search?q=buried')
    await page.getByText('No messages found').waitFor()
  })

  it('keeps the rendered rows of a feed when older messages load', async () => {
    const { owner, friend } = await teamWithAllRead()
    const channelId = await createChannel(owner, 'field', [friend])
    for (let index = 0; index < 150; index += 1) await say(friend, channelId, 'beans', `Bean ${index}`)
    const page = await visit(owner, `/c/${channelId}/feed`)
    await show(page, '/mentions')
    await show(page, `/c/${channelId}/feed?near=${await say(friend, channelId, 'beans', 'The last')}`)
    const last = feed(page).getByRole('article').filter({ hasText: 'The last' })
    await last.focus()
    const there = await last.elementHandle()
    // Home focuses the first message loaded so far.
    await expect
      .poll(async () => {
        await page.keyboard.press('Home')
        return feed(page).getByText('Bean 60', { exact: true }).count()
      })
      .toBe(1)
    expect(await there?.evaluate((element) => element.isConnected)).toBe(true)
  })

  it('opens the conversation to reply, on click or key press, without marking the message as read', async () => {
    const { owner, friend } = await teamWithAllRead()
    const channelId = await createChannel(owner, 'balcony', [friend])
    const id = await say(friend, channelId, 'beans', 'Are they up?')
    await say(friend, channelId, 'peas', 'A pea in a pot')
    const page = await visit(owner, `/c/${channelId}/feed`)
    await replyButton(page, 'beans in balcony').waitFor()
    expect(await composer(page).count()).toBe(0)
    expect(await accessibilityFaults(page)).toEqual([])
    await feed(page).getByRole('article').filter({ hasText: 'Are they up?' }).focus()
    await replyButton(page, 'beans in balcony').click()
    await list(page).getByText('Are they up?').waitFor()
    await expect.poll(async () => hasComposerFocus(page)).toBe(true)
    expect(page.url()).toContain(`/t/beans?near=${id}`)
    expect(await hasRead(owner, id)).toBe(false)
    await page.keyboard.type('They are')
    await page.keyboard.press('Control+Enter')
    await expect.poll(async () => (await fetchContents(friend)).at(-1)).toContain('They are')
    await show(page, '/feed')
    await feed(page).getByRole('article').filter({ hasText: 'A pea in a pot' }).focus()
    await page.keyboard.press('r')
    await list(page).getByText('A pea in a pot').waitFor()
    await expect.poll(async () => hasComposerFocus(page)).toBe(true)
    expect(page.url()).toContain('/t/peas?near=')
  })

  it('replies to the topmost conversation of a channel that opens as a feed, and keeps shortcuts working there', async () => {
    const { owner, friend } = await teamWithAllRead()
    const channelId = await createChannel(owner, 'terrace', [friend])
    await say(friend, channelId, 'beans', 'Are they up?')
    const page = await visit(owner, `/c/${channelId}`)
    await page.getByRole('link', { name: 'Feed', exact: true }).click()
    await show(page, '/inbox')
    await page
      .getByRole('navigation', { name: 'Conversations' })
      .getByRole('link', { name: /^terrace/ })
      .click()
    await replyButton(page, 'beans in terrace').waitFor()
    expect(await composer(page).count()).toBe(0)
    await page.getByRole('button', { name: 'Start a topic' }).waitFor()
    await page.keyboard.press('r')
    await list(page).getByText('Are they up?').waitFor()
    await expect.poll(async () => hasComposerFocus(page)).toBe(true)
    expect(page.url()).toContain('/t/beans?near=')
  })

  it("replies to the topmost visible conversation by default, and opens a quoted message's conversation", async () => {
    const calm = await teamWithAllRead()
    const { friend, channelId } = calm
    // Uses a new person, because the owner's feed would reopen at the message focused in an earlier test.
    const nora = await createNewcomer(calm)
    await say(friend, channelId, 'quotes', 'Worth a quote')
    await friend.call('POST', '/messages', { type: 'direct', to: [nora.id], content: 'Only you' })
    const page = await visit(nora, '/feed')
    const topmost = feed(page).getByRole('group').first()
    await replyButton(page, (await topmost.getAttribute('aria-label')) ?? '').waitFor()
    for (let index = 0; index < 40; index += 1) await say(friend, channelId, 'quotes', `Line ${index}`)
    await replyButton(page, 'quotes in garden').waitFor()
    await friend.call('POST', '/messages', { type: 'direct', to: [nora.id], content: 'Only you again' })
    await feed(page).getByText('Only you again').waitFor()
    await page.keyboard.press('r')
    await page.getByRole('heading', { name: /quotes/, level: 1 }).waitFor()
    await expect.poll(async () => hasComposerFocus(page)).toBe(true)
    await show(page, '/feed')
    await feed(page).getByRole('article').filter({ hasText: 'Worth a quote' }).focus()
    await page.keyboard.press('>')
    await list(page).getByText('Worth a quote').waitFor()
    await page.getByRole('group', { name: 'Replying to Fred Friend' }).getByText('Worth a quote').waitFor()
  })

  it('starts a topic from the feed of a channel', async () => {
    const { owner, friend, channelId } = await teamWithAllRead()
    await say(friend, channelId, 'beans', 'A bean')
    const page = await visit(owner, `/c/${channelId}/feed`)
    await page.getByRole('button', { name: 'Start a topic' }).click()
    const topic = page.getByRole('combobox', { name: 'Topic' })
    await expect.poll(() => topic.evaluate((field) => field === document.activeElement)).toBe(true)
    await page.keyboard.type('melons')
    await page.keyboard.press('Enter')
    await composer(page).fill('Sweet')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('heading', { name: /melons/, level: 1 }).waitFor()
    await list(page).getByText('Sweet').waitFor()
    await expect.poll(async () => (await fetchContents(friend)).at(-1)).toContain('Sweet')
  })
})
