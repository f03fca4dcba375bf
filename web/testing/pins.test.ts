import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { TestUser } from '../../server/src/testing/user.ts'
import { accessibilityFaults, hasBrowser, pressShortcut } from './browser.ts'
import { useTeam } from './shared.ts'
import { leaveComposer, list, say, withChannel } from './team.ts'
import { isTooWide } from './views.ts'

const { team, visit } = useTeam()
const teamWithChannel = async () => withChannel(await team())

const PHONE = { viewport: { width: 320, height: 640 } }
const WIDE = { viewport: { width: 1440, height: 800 } }

const main = (page: Page) => page.getByRole('main')
const row = (page: Page, text: string) => list(page).getByRole('article').filter({ hasText: text })
const mark = (page: Page, text: string) => row(page, text).getByRole('img', { name: /^Pinned/ })
const menuItem = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true })
const pinned = (page: Page) =>
  page.getByRole('complementary', { name: 'Details' }).getByRole('region', { name: 'Pinned' })
const pinnedButton = (page: Page, number: number) => main(page).getByRole('button', { name: `${number} pinned` })
const links = (page: Page) => main(page).getByRole('navigation', { name: 'Links' })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const focusedName = (page: Page) => async () => page.evaluate(() => document.activeElement?.ariaLabel ?? '')

async function openMessageMenu(page: Page, text: string): Promise<void> {
  await row(page, text).focus()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menu', { name: /^Actions for/ }).waitFor()
}

async function openChannelMenu(page: Page, item: string): Promise<void> {
  await main(page).getByRole('button', { name: 'More', exact: true }).click()
  await menuItem(page, item).click()
}

async function pin(user: TestUser, channelId: number, messageId: number, scope: 'topic' | 'channel'): Promise<void> {
  await user.call('POST', `/streams/${channelId}/pins`, { message_id: messageId, scope })
}

async function addLink(user: TestUser, channelId: number, title: string, url: string): Promise<void> {
  await user.call('POST', `/streams/${channelId}/links`, { title, url })
}

async function fetchPins(user: TestUser, channelId: number): Promise<unknown> {
  const { pins } = await user.call('GET', `/streams/${channelId}/pins`)
  return pins.map(({ message_id, scope }) => [message_id, scope])
}

async function fetchLinks(user: TestUser, channelId: number): Promise<string[]> {
  const { links: all } = await user.call('GET', `/streams/${channelId}/pins`)
  return all.map(({ title }) => title)
}

describe.skipIf(!hasBrowser)('pinned messages', () => {
  it('pins and unpins messages by menu and by key without shifting the message list', async () => {
    const { friend, owner, channelId } = await teamWithChannel()
    const id = await say(owner, channelId, 'beans', 'First bean')
    await say(owner, channelId, 'beans', 'Second bean')
    const page = await visit(friend, `/c/${channelId}/t/beans`)
    await leaveComposer(page)
    const top = async (): Promise<number | undefined> => (await row(page, 'Second bean').boundingBox())?.y
    const before = await top()
    await openMessageMenu(page, 'First bean')
    await menuItem(page, 'Pin to topic').click()
    await pinnedButton(page, 1).waitFor()
    await row(page, 'First bean').getByRole('img', { name: 'Pinned to topic by you' }).waitFor()
    expect(await top()).toBe(before)
    await expect.poll(() => fetchPins(friend, channelId)).toEqual([[id, 'topic']])
    await openMessageMenu(page, 'First bean')
    expect(await menuItem(page, 'Pin to topic').count()).toBe(0)
    await menuItem(page, 'More').click()
    await menuItem(page, 'Pin to channel').click()
    await row(page, 'First bean').getByRole('img', { name: 'Pinned to channel by you' }).waitFor()
    await expect.poll(() => fetchPins(friend, channelId)).toEqual([[id, 'channel']])
    await row(page, 'First bean').focus()
    await pressShortcut(page, 'Shift+P')
    await page.getByText('Message unpinned').waitFor()
    await pinnedButton(page, 1).waitFor({ state: 'detached' })
    expect(await mark(page, 'First bean').count()).toBe(0)
    await pressShortcut(page, 'Control+z')
    await mark(page, 'First bean').waitFor()
    expect(await fetchPins(friend, channelId)).toEqual([[id, 'channel']])
    expect(await top()).toBe(before)
  })

  it('lists pinned messages, jumps to them, and keeps the focus after unpinning', async () => {
    const { friend, owner, channelId } = await teamWithChannel()
    const ids: number[] = []
    for (const text of ['Oldest', 'Old', 'Newer']) ids.push(await say(owner, channelId, 'beans', `${text} bean`))
    const other = await say(friend, channelId, 'peas', 'A pea')
    const [oldest = 0, old = 0] = ids
    await pin(friend, channelId, oldest, 'topic')
    await pin(friend, channelId, old, 'topic')
    await pin(friend, channelId, other, 'channel')
    const page = await visit(friend, `/c/${channelId}/t/beans`)
    await leaveComposer(page)
    await pinnedButton(page, 3).click()
    await expect.poll(focusedName(page)).toBe('Pinned')
    const texts = async () => pinned(page).getByRole('link').allInnerTexts()
    await expect
      .poll(async () => (await texts()).map((text) => text.split('\n').at(-1)))
      .toEqual(['A pea', 'Old bean', 'Oldest bean'])
    expect(await accessibilityFaults(page)).toEqual([])
    await pinned(page).getByRole('button', { name: 'Unpin Olivia Owner’s message' }).first().press('Enter')
    await pinnedButton(page, 2).waitFor()
    await expect.poll(focusedName(page)).toBe('Unpin Olivia Owner’s message')
    await pinned(page).getByRole('link', { name: /A pea/ }).click()
    await page.getByRole('heading', { name: /peas/, level: 1 }).waitFor()
    await row(page, 'A pea').waitFor()
    await pinnedButton(page, 1).waitFor()
    await pinned(page)
      .getByRole('button', { name: /^Unpin/ })
      .press('Enter')
    await pinned(page).waitFor({ state: 'detached' })
    await expect.poll(focusedName(page)).toBe('Details')
    await main(page).getByRole('button', { name: 'Details' }).click()
  })

  it("shows other people's pins and links immediately, or after reconnecting", async () => {
    const { friend, owner, channelId } = await teamWithChannel()
    const ids: number[] = []
    for (const text of ['First', 'Second']) ids.push(await say(friend, channelId, 'beans', `${text} bean`))
    const [first = 0, second = 0] = ids
    let queueId = ''
    const page = await visit(friend, `/c/${channelId}/feed`, WIDE)
    page.on('request', (request) => {
      queueId = new URL(request.url()).searchParams.get('queue_id') ?? queueId
    })
    await main(page).getByText('Second bean').waitFor()
    expect(await pinnedButton(page, 1).count()).toBe(0)
    await pin(owner, channelId, first, 'channel')
    await addLink(owner, channelId, 'Recipes', 'https://recipes.example.com')
    await pinnedButton(page, 1).waitFor()
    await links(page).getByRole('link', { name: 'Recipes' }).waitFor()
    await page.getByRole('img', { name: 'Pinned to channel by Olivia Owner' }).waitFor()
    await page.context().setOffline(true)
    await pin(owner, channelId, second, 'channel')
    await addLink(owner, channelId, 'Calendar', '/#narrow/channel/1')
    await expect.poll(() => queueId).not.toBe('')
    await friend.call('DELETE', '/events', { queue_id: queueId })
    await page.context().setOffline(false)
    await pinnedButton(page, 2).waitFor()
    await links(page).getByRole('link', { name: 'Calendar' }).waitFor()
    await friend.call('DELETE', `/messages/${first}`)
    await pinnedButton(page, 1).waitFor()
  })

  it('shows pins and links without actions to people who cannot change them', async () => {
    const { owner, friend, channelId } = await teamWithChannel()
    const id = await say(owner, channelId, 'beans', 'A bean')
    await pin(owner, channelId, id, 'channel')
    await addLink(owner, channelId, 'Recipes', 'https://recipes.example.com')
    const group = (ids: number[]) => ({ new: { direct_members: ids, direct_subgroups: [] } })
    await owner.call('PATCH', '/realm', { can_pin_messages_group: group([owner.id]) })
    const page = await visit(friend, `/c/${channelId}/t/beans`, WIDE)
    await mark(page, 'A bean').waitFor()
    await openMessageMenu(page, 'A bean')
    expect(await menuItem(page, 'Unpin').count()).toBe(0)
    await page.keyboard.press('Escape')
    await pinnedButton(page, 1).click()
    await pinned(page)
      .getByRole('link', { name: /A bean/ })
      .waitFor()
    expect(await pinned(page).getByRole('button').count()).toBe(0)
    await main(page)
      .getByRole('link', { name: /garden/ })
      .click()
    await links(page).getByRole('link', { name: 'Recipes' }).waitFor()
    expect(await links(page).getByRole('button').count()).toBe(0)
    await owner.call('PATCH', '/realm', { can_pin_messages_group: group([owner.id, friend.id]) })
    await links(page).getByRole('button', { name: 'Add link' }).waitFor()
    await pinned(page).getByRole('button', { name: 'Unpin Olivia Owner’s message' }).waitFor()
    await main(page).getByRole('button', { name: 'Details' }).click()
  })
})

describe.skipIf(!hasBrowser)('links of a channel', () => {
  it('adds, changes, orders, and removes links in the header with undo', async () => {
    const { friend, channel, channelId } = await teamWithChannel()
    await say(friend, channelId, 'beans', 'A bean')
    const page = await visit(friend, `/c/${channelId}`, WIDE)
    const url = (form: string) => dialog(page, form).getByRole('textbox', { name: 'URL' })
    const title = (form: string) => dialog(page, form).getByRole('textbox', { name: 'Title' })
    await openChannelMenu(page, 'Add link')
    await url('Add link').fill('www.recipes.example.com/beans?x=1')
    expect(await title('Add link').inputValue()).toBe('recipes.example.com')
    expect(await accessibilityFaults(page)).toEqual([])
    await page.keyboard.press('Enter')
    const recipes = links(page).getByRole('link', { name: 'recipes.example.com' })
    expect(await recipes.getAttribute('href')).toBe('https://www.recipes.example.com/beans?x=1')
    expect(await recipes.getAttribute('target')).toBe('_blank')
    await links(page).getByRole('button', { name: 'Add link' }).click()
    await url('Add link').fill('javascript:alert(1)')
    await title('Add link').fill('Beans')
    await page.keyboard.press('Enter')
    await dialog(page, 'Add link').getByRole('alert').getByText('Enter a web or email address.').waitFor()
    await url('Add link').fill(new URL(`/c/${channelId}/t/beans`, page.url()).href)
    expect(await title('Add link').inputValue()).toBe('Beans')
    await title('Add link').fill('')
    await url('Add link').press('End')
    await page.keyboard.type('?near=1')
    expect(await title('Add link').inputValue()).toBe(`beans in ${channel}`)
    // Selecting text with the mouse can end outside of the dialog.
    await url('Add link').hover()
    await page.mouse.down()
    await page.mouse.move(5, 5)
    await page.mouse.up()
    await url('Add link').press('Enter')
    await links(page)
      .getByRole('link', { name: `beans in ${channel}` })
      .waitFor()
    await openChannelMenu(page, 'Edit links')
    await dialog(page, 'Edit links').getByRole('button', { name: 'Move recipes.example.com down' }).press('Enter')
    await expect.poll(() => fetchLinks(friend, channelId)).toEqual([`beans in ${channel}`, 'recipes.example.com'])
    await expect.poll(focusedName(page)).toBe('Move recipes.example.com down')
    await dialog(page, 'Edit links').getByRole('button', { name: 'Edit recipes.example.com' }).click()
    await title('Edit link').fill('Recipes')
    await page.keyboard.press('Enter')
    await dialog(page, 'Edit link').waitFor({ state: 'detached' })
    await dialog(page, 'Edit links')
      .getByRole('button', { name: `Remove beans in ${channel}` })
      .press('Enter')
    await expect.poll(() => fetchLinks(friend, channelId)).toEqual(['Recipes'])
    await expect.poll(focusedName(page)).toBe('Edit Recipes')
    expect(await accessibilityFaults(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByText(`Link “beans in ${channel}” removed`).waitFor()
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).last().click()
    await expect.poll(() => fetchLinks(friend, channelId)).toEqual([`beans in ${channel}`, 'Recipes'])
    await links(page)
      .getByRole('link', { name: `beans in ${channel}` })
      .click()
    await page.getByRole('heading', { name: /beans/, level: 1 }).waitFor()
    expect(page.context().pages()).toHaveLength(1)
  })

  it('moves links that do not fit in the channel header to a menu', async () => {
    const { friend, channelId } = await teamWithChannel()
    for (let number = 1; number <= 12; number++)
      await addLink(friend, channelId, `Long link number ${number}`, '/inbox')
    const page = await visit(friend, `/c/${channelId}`, WIDE)
    const more = links(page).getByRole('button', { name: /^\d+ more links$/ })
    await more.click()
    const shown = await links(page).getByRole('link').count()
    expect(shown).toBeGreaterThan(1)
    const listed = page.getByRole('menuitem', { name: /^Long link/ })
    await expect.poll(() => listed.count()).toBe(12 - shown)
    await page.keyboard.press('Escape')
    await page.setViewportSize(PHONE.viewport)
    await main(page).getByRole('button', { name: 'Links', exact: true }).click()
    await expect.poll(() => listed.count()).toBe(12)
    await menuItem(page, 'Edit links').click()
    await dialog(page, 'Edit links').getByText('Long link number 12').waitFor()
    expect(await isTooWide(page)).toBe(false)
    await page.keyboard.press('Escape')
    await main(page).getByRole('button', { name: 'Links', exact: true }).click()
    await menuItem(page, 'Long link number 7').click()
    await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor()
  })
})
