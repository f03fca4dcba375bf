import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { ageMessages } from '../../server/src/testing/age.ts'
import type { TestUser } from '../../server/src/testing/user.ts'
import { hasBrowser, openAs, openMenuWith } from './browser.ts'
import { useTeam } from './shared.ts'
import { composer, fetchTopicContents, list, say, type Team, createTeamOn, withChannel } from './team.ts'

const { server, browser, team, visit, makeTeam, openPage } = useTeam()
const teamWithChannel = async (): Promise<Team> => withChannel(await team())

const row = (page: Page, text: string) => list(page).getByRole('article').filter({ hasText: text })
const menu = (page: Page) => page.getByRole('menu', { name: /^Actions for/ })
const menuItem = (page: Page, name: string | RegExp) => menu(page).getByRole('menuitem', { name, exact: true })
const toolbarOf = (message: Locator) => message.getByRole('toolbar', { name: /^Actions for/ })

const menuTitles = async (page: Page): Promise<string[]> =>
  menu(page).locator('.menu-item:not(.menu-choice) > span:first-of-type').allTextContents()

async function openMenu(page: Page, text: string): Promise<void> {
  await row(page, text).focus()
  await page.keyboard.press('Shift+F10')
  await menu(page).waitFor()
}

async function menuItemsOf(page: Page, text: string): Promise<string[]> {
  await openMenu(page, text)
  const frequent = await menuTitles(page)
  await menuItem(page, 'More').click()
  await menuItem(page, 'View source').waitFor()
  const rare = await menuTitles(page)
  await page.keyboard.press('Escape')
  return [...frequent, ...rare]
}

async function offeredReactions(page: Page, text: string): Promise<(string | null)[]> {
  await openMenu(page, text)
  const items = await menu(page)
    .getByRole('menuitem', { name: /^React with/ })
    .all()
  const names = await Promise.all(items.map(async (one) => one.getAttribute('aria-label')))
  await page.keyboard.press('Escape')
  return names
}

const permissionLimitedTo = (...users: TestUser[]) => ({
  new: { direct_members: users.map(({ id }) => id), direct_subgroups: [] },
})

async function fetchReactions(user: TestUser, id: number): Promise<string[]> {
  const { message } = await user.call('GET', `/messages/${id}`)
  return message.reactions.map(({ emoji_name }) => emoji_name)
}

describe.skipIf(!hasBrowser)('message menu', () => {
  it('opens the menu at the pointer on right click, and reacts with an emoji', async () => {
    const { owner, friend, channelId } = await teamWithChannel()
    const id = await say(friend, channelId, 'beans', 'A bean')
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    await row(page, 'A bean').click({ button: 'right', position: { x: 200, y: 20 } })
    await expect
      .poll(() =>
        menu(page)
          .getByRole('menuitem', { name: /^React with/ })
          .count(),
      )
      .toBe(6)
    const [box, opened] = [await row(page, 'A bean').boundingBox(), await menu(page).boundingBox()]
    expect(opened?.x).toBeCloseTo((box?.x ?? 0) + 200, 0)
    await menuItem(page, 'React with tada').click()
    await expect.poll(() => fetchReactions(friend, id)).toEqual(['tada'])
  })

  it('opens the menu on long press, and fits it on a phone screen', async () => {
    const { owner, friend, channelId } = await createTeamOn(server())
    const id = await say(friend, channelId, 'beans', 'A bean')
    const page = await openAs(browser(), owner, `/c/${channelId}/t/beans`, {
      viewport: { width: 320, height: 480 },
      hasTouch: true,
    })
    const text = await row(page, 'A bean').getByText('A bean').boundingBox()
    const [x, y] = [(text?.x ?? 0) + 20, (text?.y ?? 0) + 5]
    const debug = await page.context().newCDPSession(page)
    await debug.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] })
    await menu(page).waitFor()
    await debug.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    const opened = await menu(page).boundingBox()
    expect(opened?.x).toBeGreaterThanOrEqual(0)
    expect((opened?.x ?? 0) + (opened?.width ?? 999)).toBeLessThanOrEqual(320)
    // A sheet at the lower edge, within reach of the thumb.
    expect((opened?.y ?? 0) + (opened?.height ?? 0)).toBeCloseTo(480, 0)
    expect(opened?.width).toBeCloseTo(320, 0)
    await menuItem(page, 'React with heart').tap()
    await expect.poll(() => fetchReactions(friend, id)).toEqual(['heart'])
    const buttons = await toolbarOf(row(page, 'A bean')).getByRole('button').all()
    const boxes = await Promise.all(buttons.map(async (button) => button.boundingBox()))
    expect(boxes[0]?.x).toBeGreaterThanOrEqual(0)
    for (const box of boxes) expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44)
  })

  it('saves an edit on the first tap of the save button on a phone', async () => {
    const { owner, friend, channelId } = await makeTeam()
    await say(owner, channelId, 'beans', 'A bean')
    const phone = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true }
    const page = await openPage(owner, `/c/${channelId}/t/beans`, phone)
    await openMenu(page, 'A bean')
    await menuItem(page, 'Edit').tap()
    await page.getByRole('textbox', { name: 'Edit message' }).fill('A tall bean')
    await page.getByRole('button', { name: 'Save changes' }).tap()
    await row(page, 'A tall bean').getByText('edited', { exact: true }).waitFor()
    expect(await fetchTopicContents(friend, channelId, 'beans')).toEqual(['<p>A tall bean</p>'])
  })

  it.each(['Add reaction', 'Remind me'])('opens the "%s" popup where the message menu was', async (name) => {
    const { owner, friend, channelId } = await teamWithChannel()
    await say(friend, channelId, 'beans', 'Look here')
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    await row(page, 'Look here').hover()
    const more = await row(page, 'Look here').getByRole('button', { name: 'More' }).boundingBox()
    const text = await row(page, 'Look here').getByText('Look here').boundingBox()
    const places = [
      { button: 'left', x: (more?.x ?? 0) + 5, y: (more?.y ?? 0) + 5 },
      { button: 'right', x: (text?.x ?? 0) + 300, y: (text?.y ?? 0) + 5 },
    ] as const
    for (const { button, x, y } of places) {
      await page.mouse.click(x, y, { button })
      await menu(page)
        .getByRole('menuitem', { name: new RegExp(`^${name}`) })
        .click()
      const opened = page.locator('.picker, .menu').filter({ has: page.locator(':focus') })
      await opened.waitFor()
      const box = await opened.boundingBox()
      const [left, top] = [box?.x ?? 0, box?.y ?? 0]
      expect(left).toBeLessThanOrEqual(x)
      expect(left + (box?.width ?? 0)).toBeGreaterThan(x)
      const bottom = top + (box?.height ?? 0)
      expect(y > top && y < bottom ? 0 : Math.min(Math.abs(top - y), Math.abs(bottom - y))).toBeLessThan(60)
      await page.keyboard.press('Escape')
      await opened.waitFor({ state: 'hidden' })
    }
  })

  it('shows only the toolbar of the hovered message, or after a key, of the focused message', async () => {
    const { owner, friend, channelId } = await makeTeam()
    await say(friend, channelId, 'beans', 'A bean')
    await say(owner, channelId, 'beans', 'Another')
    const page = await openPage(owner, `/c/${channelId}/t/beans`)
    const [focused, hovered] = [row(page, 'A bean'), row(page, 'Another')]
    await focused.focus()
    await toolbarOf(focused).getByRole('button', { name: 'Star' }).focus()
    await hovered.hover()
    await toolbarOf(hovered).waitFor()
    expect(await toolbarOf(list(page)).count()).toBe(1)
    await expect.poll(() => focused.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('Tab')
    await toolbarOf(focused).waitFor()
    expect(await toolbarOf(list(page)).count()).toBe(1)
    await composer(page).focus()
    await toolbarOf(list(page)).waitFor({ state: 'detached' })
  })

  it('keeps the message of an open menu in place, with its toolbar', async () => {
    const { owner, friend, channelId } = await makeTeam()
    for (let number = 1; number <= 30; number += 1) await say(friend, channelId, 'beans', `Bean ${number}`)
    const page = await openPage(owner, `/c/${channelId}/t/beans`)
    await page.keyboard.press('End')
    const last = row(page, 'Bean 30')
    await last.hover()
    await toolbarOf(last).getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Forward' }).hover()
    const place = await last.boundingBox()
    await say(friend, channelId, 'beans', 'A late bean')
    await row(page, 'A late bean').waitFor({ state: 'attached' })
    await page.getByRole('button', { name: '1 new message' }).waitFor()
    expect(await last.boundingBox()).toEqual(place)
    expect(await toolbarOf(last).count()).toBe(1)
  })

  it('moves through the menu by arrow keys, and offers recently used emoji', async () => {
    const { owner, friend, channelId } = await makeTeam()
    const id = await say(friend, channelId, 'beans', 'A bean')
    const page = await openPage(owner, `/c/${channelId}/t/beans`)
    await openMenu(page, 'A bean')
    await page.keyboard.press('ArrowRight')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('React with heart')
    await page.keyboard.press('ArrowDown')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Add reaction')
    await page.keyboard.press('ArrowUp')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('React with +1')
    await page.keyboard.press('Escape')
    await page.keyboard.press(':')
    await page.getByRole('searchbox', { name: 'Search emoji' }).fill('no such thing')
    await page.getByText('No emoji found').waitFor()
    await page.getByRole('searchbox', { name: 'Search emoji' }).fill('rocket')
    await page.getByRole('button', { name: 'rocket', exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => fetchReactions(friend, id)).toEqual(['rocket'])
    expect(await offeredReactions(page, 'A bean')).toContain('React with rocket')
    const elsewhere = await openPage(owner, `/c/${channelId}/t/beans`)
    await row(elsewhere, 'A bean').waitFor()
    expect(await offeredReactions(elsewhere, 'A bean')).toContain('React with rocket')
  })

  it('offers only permitted message actions, and updates them when rules or time limits change', async () => {
    const { owner, friend, channelId } = await createTeamOn(server())
    await say(owner, channelId, 'beans', 'Of the owner')
    await say(friend, channelId, 'beans', 'Of the friend')
    const page = await openAs(browser(), friend, `/c/${channelId}/t/beans`)
    await row(page, 'Of the friend').waitFor()
    const [theirs, own] = [await menuItemsOf(page, 'Of the owner'), await menuItemsOf(page, 'Of the friend')]
    expect(own).toEqual(expect.arrayContaining(['Edit', 'Delete', 'Move', 'View source']))
    expect(own).not.toContain('Report')
    for (const name of ['Edit', 'Delete', 'Read by', 'Edit history']) expect(theirs).not.toContain(name)
    await owner.call('PATCH', '/realm', {
      can_delete_own_message_group: permissionLimitedTo(owner),
      can_resolve_topics_group: permissionLimitedTo(owner),
      can_move_messages_between_topics_group: permissionLimitedTo(owner),
      can_move_messages_between_channels_group: permissionLimitedTo(owner),
      allow_message_editing: false,
      enable_read_receipts: true,
    })
    await expect.poll(() => menuItemsOf(page, 'Of the friend')).toContain('Read by')
    const less = await menuItemsOf(page, 'Of the friend')
    for (const name of ['Edit', 'Delete', 'Move']) expect(less).not.toContain(name)
    await page.keyboard.press('e')
    expect(await page.getByRole('textbox', { name: 'Edit message' }).count()).toBe(0)
    await owner.call('PATCH', `/streams/${channelId}`, { can_delete_any_message_group: permissionLimitedTo(friend) })
    await expect.poll(() => menuItemsOf(page, 'Of the owner')).toContain('Delete')
    expect(await menuItemsOf(page, 'Of the owner')).not.toContain('Move')
    await owner.call('PATCH', '/realm', { allow_message_editing: true, message_content_edit_limit_seconds: 1 })
    await page.clock.install({ time: Date.now() + 60_000 })
    await openMenu(page, 'Of the friend')
    const edit = menu(page).getByRole('menuitem', { name: /^Edit Time limit has passed/, disabled: true })
    await edit.click({ force: true })
    await page.keyboard.press('Escape')
    expect(await row(page, 'Of the friend').getByRole('button', { name: 'Edit', exact: true }).count()).toBe(0)
    await row(page, 'Of the friend').focus()
    await page.keyboard.press('e')
    await page.getByText('You can no longer edit this message: the time limit has passed').first().waitFor()
    expect(await page.getByRole('textbox', { name: 'Edit message' }).count()).toBe(0)
    await owner.call('PATCH', '/realm', { message_content_edit_limit_seconds: 'unlimited' })
    await expect.poll(() => menuItemsOf(page, 'Of the friend')).toContain('Edit')
  })
})

describe.skipIf(!hasBrowser)('reaction keys', () => {
  it('adds the reaction that another person used, with the = key', async () => {
    const { owner, friend, channelId } = await teamWithChannel()
    const id = await say(friend, channelId, 'beans', 'A bean')
    await friend.call('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
    const page = await visit(owner, `/c/${channelId}/feed`)
    const shown = page.getByRole('region', { name: 'Messages' }).getByRole('article').filter({ hasText: 'A bean' })
    await shown.focus()
    await page.keyboard.press('=')
    await shown.getByRole('button', { name: 'Fred Friend and you reacted with :tada:', pressed: true }).waitFor()
    await expect.poll(() => fetchReactions(friend, id)).toEqual(['tada', 'tada'])
  })
})

describe.skipIf(!hasBrowser)('message dialogs', () => {
  it('shows the source and the edit history of a message', async () => {
    const { owner, channelId } = await teamWithChannel()
    const id = await say(owner, channelId, 'beans', '**Tall** beans')
    await owner.call('PATCH', `/messages/${id}`, { content: '**Short** beans' })
    await owner.call('PATCH', `/messages/${id}`, { topic: 'peas' })
    const page = await visit(owner, `/c/${channelId}/t/peas`)
    await row(page, 'Short').waitFor()
    await openMenu(page, 'Short')
    await menuItem(page, 'More').click()
    await menuItem(page, 'View source').click()
    await page.getByRole('dialog', { name: 'View source' }).getByText('**Short** beans').waitFor()
    await page.keyboard.press('Escape')
    await openMenu(page, 'Short')
    await menuItem(page, 'More').click()
    await menuItem(page, 'Edit history').click()
    const dialog = page.getByRole('dialog', { name: 'Edit history' })
    const states = dialog.getByRole('listitem')
    await expect.poll(() => states.count()).toBe(3)
    expect(await states.nth(0).textContent()).toMatch(/Olivia Owner.*moved.*beans.*peas/)
    expect(await states.nth(1).textContent()).toMatch(/edited.*Tall.*Short|edited.*Short.*Tall/)
    expect(await states.nth(2).textContent()).toMatch(/sent.*Tall beans/)
  })

  it('previews which messages move, and notifies the chosen topics', async () => {
    const { owner, friend, channelId } = await teamWithChannel()
    for (const text of ['First', 'Second', 'Third']) await say(friend, channelId, 'beans', `${text} bean`)
    await say(friend, channelId, 'peas', 'A pea')
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    await row(page, 'Second bean').focus()
    await page.keyboard.press('m')
    const dialog = page.getByRole('dialog', { name: 'Move messages' })
    await dialog.getByText('This message and all later ones2').waitFor()
    const preview = dialog.getByRole('list', { name: 'Preview' })
    await expect.poll(() => preview.getByRole('listitem').allTextContents()).toHaveLength(2)
    await dialog.getByRole('radio', { name: /^All messages/ }).check()
    await expect.poll(() => preview.getByRole('listitem').allTextContents()).toHaveLength(3)
    await dialog.getByRole('radio', { name: /^Only this message/ }).check()
    expect(await preview.textContent()).toContain('Second bean')
    await dialog.getByRole('combobox', { name: 'Topic' }).fill('Peas')
    await dialog.getByText('This topic already has messages').waitFor()
    await dialog.getByRole('checkbox', { name: 'Notify the old topic' }).check()
    await dialog.getByRole('checkbox', { name: 'Notify the new topic' }).uncheck()
    await dialog.getByRole('button', { name: 'Move', exact: true }).click()
    await page.getByText(/1 message moved to/).waitFor()
    expect(await fetchTopicContents(owner, channelId, 'peas')).toEqual(['<p>Second bean</p>', '<p>A pea</p>'])
    expect((await fetchTopicContents(owner, channelId, 'beans')).at(-1)).toContain('moved')
  })

  it("offers the open topic's actions in the palette, and renames the topic from there", async () => {
    const { owner, friend, channelId, channel } = await withChannel(await team())
    await say(friend, channelId, 'beans', 'They climb')
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    await row(page, 'They climb').focus()
    await page.keyboard.press('Control+k')
    for (const typed of ['mute topic', 'follow topic', 'resolved', `mute ${channel}`]) {
      await page.getByRole('combobox', { name: /^Go to/ }).fill(`>${typed}`)
      await page
        .getByRole('option', { name: new RegExp(typed, 'i') })
        .first()
        .waitFor()
    }
    await page.getByRole('combobox', { name: /^Go to/ }).fill('rename topic')
    await page.getByRole('option', { name: /^Rename topic/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Rename topic' })
    await dialog.getByRole('combobox', { name: 'Topic' }).fill('tall beans')
    await dialog.getByRole('button', { name: 'Rename' }).click()
    await page.getByText('Topic renamed to tall beans').waitFor()
    await page.getByRole('heading', { name: /tall beans/, level: 1 }).waitFor()
    expect(await fetchTopicContents(friend, channelId, 'tall beans')).toEqual(['<p>They climb</p>'])
    await page.keyboard.press('Control+z')
    await expect.poll(() => fetchTopicContents(friend, channelId, 'beans')).toEqual(['<p>They climb</p>'])
  })

  it('does not open the dialog to rename a topic whose messages are too old', async () => {
    const { owner, friend, channelId, id: organizationId } = await teamWithChannel()
    const id = await say(owner, channelId, 'beans', 'They climb')
    await ageMessages(server().database, organizationId, [id], 60)
    const page = await visit(friend, `/c/${channelId}/t/beans`)
    await row(page, 'They climb').waitFor()
    await owner.call('PATCH', '/realm', { move_messages_within_stream_limit_seconds: 1 })
    const rename = async (): Promise<void> => {
      await page.getByRole('main').getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Rename topic' }).click()
    }
    await rename()
    await page.getByText('Time limit has passed').waitFor()
    const dialog = page.getByRole('dialog', { name: 'Rename topic' })
    expect(await dialog.count()).toBe(0)
    await owner.call('PATCH', '/realm', { move_messages_within_stream_limit_seconds: 604_800 })
    await rename()
    await dialog.getByRole('combobox', { name: 'Topic' }).waitFor()
  })

  it('offers only channels where the person can post when moving a message', async () => {
    const { owner, friend, channelId } = await teamWithChannel()
    await owner.call('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'kitchen' }, { name: 'news' }],
      principals: [friend.id, owner.id],
      send_new_subscription_messages: false,
    })
    const { stream_id: news } = await owner.call('GET', '/get_stream_id', { stream: 'news' })
    await owner.call('PATCH', `/streams/${news}`, { can_send_message_group: permissionLimitedTo(owner) })
    await say(friend, channelId, 'beans', 'A bean')
    const page = await visit(friend, `/c/${channelId}/t/beans`)
    await row(page, 'A bean').focus()
    await page.keyboard.press('m')
    const dialog = page.getByRole('dialog', { name: 'Move messages' })
    const options = dialog.getByRole('combobox', { name: 'Channel' }).getByRole('option')
    await expect.poll(() => options.allTextContents()).toContain('kitchen')
    expect(await options.allTextContents()).not.toContain('news')
  })

  it('reports a message to moderators once a channel for reports is set', async () => {
    const { owner, friend, user, channelId } = await teamWithChannel()
    await owner.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'desk' }], invite_only: true })
    const { stream_id: desk } = await owner.call('GET', '/get_stream_id', { stream: 'desk' })
    await say(await user('Sam Seller'), channelId, 'beans', 'Buy beans now')
    const page = await visit(friend, `/c/${channelId}/t/beans`, { viewport: { width: 320, height: 640 } })
    await row(page, 'Buy beans').waitFor()
    const reporting = await openMenuWith(menuItem(page, 'Report'), async () => {
      await openMenu(page, 'Buy beans')
      await menuItem(page, 'More').click()
    })
    await reporting.click()
    const dialog = page.getByRole('dialog', { name: 'Report message' })
    await dialog.getByRole('radio', { name: 'Other' }).check()
    expect(await dialog.getByRole('button', { name: 'Send report' }).isDisabled()).toBe(true)
    await dialog.getByRole('textbox', { name: 'Details' }).fill('Only beans')
    await dialog.getByRole('button', { name: 'Send report' }).click()
    await page.getByText('Moderation request channel must be specified').waitFor()
    await owner.call('PATCH', '/realm', { moderation_request_channel_id: desk })
    await dialog.getByRole('button', { name: 'Send report' }).click()
    await page.getByText('Report sent to moderators').waitFor()
    const [report] = await fetchTopicContents(owner, desk, 'message reports')
    expect(report).toContain('Only beans')
  })
})
