import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { useTestServer } from '../../server/src/testing/server.ts'
import { accessibilityFaults, hasBrowser, LOCAL_DOMAIN, openAs, show, useBrowser } from './browser.ts'
import { createTeamOn, leaveComposer, list, say, type Team } from './team.ts'

const server = useTestServer(LOCAL_DOMAIN)
const browser = useBrowser()

const MUTED_NAME_OR_TEXT = /Fred|prattle/

const hiddenMessages = (page: Page) => list(page).getByRole('article', { name: /^Muted person, / })

/** Creates a team whose owner muted the friend between two of the friend's messages. */
async function teamWithMutedFriend(): Promise<Team & { readonly other: Team['friend'] }> {
  const team = await createTeamOn(server())
  const other = await team.user('Olga Other')
  await other.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'garden' }] })
  await say(other, team.channelId, 'beans', 'Before')
  await say(team.friend, team.channelId, 'beans', 'Some prattle')
  await team.friend.call('POST', '/messages', { type: 'direct', to: [team.owner.id], content: 'Direct prattle' })
  await team.owner.call('POST', `/users/me/muted_users/${team.friend.id}`)
  await say(team.friend, team.channelId, 'beans', 'More prattle')
  return { ...team, other }
}

/**
 * Returns all text and labels of a page.
 * @param without selector of elements to omit
 */
async function readTexts(page: Page, without = 'script'): Promise<string> {
  return page.evaluate((left) => {
    const body = document.importNode(document.body, true)
    for (const element of body.querySelectorAll(left)) element.remove()
    const named = [...body.querySelectorAll('[aria-label], [title], [alt]')].flatMap((element) =>
      ['aria-label', 'title', 'alt'].map((name) => element.getAttribute(name) ?? ''),
    )
    return [body.textContent ?? '', document.title, ...named].join('\n')
  }, without)
}

describe.skipIf(!hasBrowser)('messages of muted people', () => {
  it('collapses messages of muted people to one line until opened', async () => {
    const { owner, channelId } = await teamWithMutedFriend()
    const page = await openAs(browser(), owner, `/c/${channelId}/t/beans`)
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 700 })
      await list(page).getByText('Before').waitFor()
      await expect.poll(() => hiddenMessages(page).count()).toBe(2)
      expect(await readTexts(page)).not.toMatch(MUTED_NAME_OR_TEXT)
      for (const row of await hiddenMessages(page).all()) {
        expect((await row.boundingBox())?.height).toBeLessThan(width === 320 ? 70 : 50)
        await row.hover()
      }
      expect(await page.getByRole('toolbar', { name: /Actions for/ }).count()).toBe(0)
      expect([width, await accessibilityFaults(page)]).toEqual([width, []])
    }
    await hiddenMessages(page).last().getByRole('button', { name: 'Show message' }).click()
    await list(page).getByText('More prattle').waitFor()
    // The row shows its author's name, because the previous row by this author is hidden.
    await list(page).getByRole('button', { name: 'Fred Friend’s profile' }).waitFor()
    expect(await list(page).getByText('Some prattle').count()).toBe(0)
    expect(await hiddenMessages(page).count()).toBe(1)
  })

  it('shows and hides a message from a muted person by keyboard', async () => {
    const { owner, channelId } = await teamWithMutedFriend()
    const page = await openAs(browser(), owner, `/c/${channelId}/t/beans`)
    await hiddenMessages(page).last().waitFor()
    await leaveComposer(page)
    await page.keyboard.press('k')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Show message')
    await page.keyboard.press('Enter')
    const row = list(page).getByRole('article', { name: /^Fred Friend/ })
    await row.waitFor()
    await expect.poll(() => row.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menuitem', { name: 'Hide message' }).press('Enter')
    await expect.poll(() => hiddenMessages(page).count()).toBe(2)
  })

  it('hides muted people in message lists, feeds, search results, and announcements', async () => {
    const { owner, friend, channelId } = await teamWithMutedFriend()
    const page = await openAs(browser(), owner, '/inbox')
    for (const path of ['/inbox', '/recent', `/c/${channelId}`, `/c/${channelId}/feed`, '/feed', '/search?q=Before']) {
      await show(page, path)
      await page
        .getByRole('main')
        .getByText(/Before|hidden message|Muted person/)
        .first()
        .waitFor()
      expect([path, MUTED_NAME_OR_TEXT.exec(await readTexts(page))?.[0]]).toEqual([path, undefined])
    }
    await show(page, `/c/${channelId}/t/beans`)
    await expect.poll(() => hiddenMessages(page).count()).toBe(2)
    await friend.call('POST', '/typing', { type: 'stream', op: 'start', stream_id: channelId, topic: 'beans' })
    await say(friend, channelId, 'beans', 'Endless prattle')
    await expect.poll(() => hiddenMessages(page).count()).toBe(3)
    expect(await readTexts(page)).not.toMatch(MUTED_NAME_OR_TEXT)
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('prattle')
    await page
      .getByRole('option', { name: /^Search messages/ })
      .or(page.getByRole('option').first())
      .first()
      .waitFor()
    expect(await page.getByRole('option', { name: /Some prattle/ }).count()).toBe(0)
  })

  it('hides the names of muted people in reactions, polls, edit history, and exports', async () => {
    const { owner, friend, other, channelId } = await teamWithMutedFriend()
    await owner.call('PATCH', '/realm', { enable_read_receipts: true })
    const poll = await say(other, channelId, 'lunch', '/poll Where?\nIn\nOut')
    const vote = JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 })
    await friend.call('POST', '/submessage', { message_id: poll, msg_type: 'widget', content: vote })
    await friend.call('POST', `/messages/${poll}/reactions`, { emoji_name: 'tada' })
    const moved = await say(other, channelId, 'dinner', 'Soup')
    await friend.call('PATCH', `/messages/${moved}`, { topic: 'lunch', send_notification_to_new_thread: false })
    await friend.call('POST', '/messages/flags', { messages: [moved], op: 'add', flag: 'read' })
    const page = await openAs(browser(), owner, `/c/${channelId}/t/lunch`)
    await list(page).getByText('Soup').waitFor()
    expect(await readTexts(page)).not.toMatch(MUTED_NAME_OR_TEXT)
    const soup = list(page).getByRole('article').filter({ hasText: 'Soup' })
    for (const name of ['Edit history', 'Read by']) {
      await soup.focus()
      await page.keyboard.press('Shift+F10')
      await page.getByRole('menuitem', { name: 'More' }).press('Enter')
      await page.getByRole('menuitem', { name }).press('Enter')
      await page.getByRole('dialog', { name }).getByText('Muted person').waitFor()
      expect(await readTexts(page)).not.toMatch(MUTED_NAME_OR_TEXT)
      await page.keyboard.press('Escape')
    }
    for (const name of ['Save as Markdown', 'Save as a web page']) {
      await page.getByRole('main').getByRole('button', { name: 'More', exact: true }).first().click()
      await page.getByRole('menuitem', { name: 'Export conversation' }).click()
      const downloading = page.waitForEvent('download')
      await page.getByRole('dialog').getByRole('button', { name }).click()
      const saved = await readFile(await (await downloading).path(), 'utf8')
      expect(saved).toContain('Soup')
      expect(saved).toMatch(/In \(1: Muted person\)/)
      expect(saved).toMatch(/🎉 (<bdi>)?Muted person/)
      expect(saved).not.toMatch(MUTED_NAME_OR_TEXT)
    }
  })

  it('hides the names of muted people in group DMs and reminders', async () => {
    const { owner, friend, other, channelId } = await teamWithMutedFriend()
    await other.call('POST', '/messages', { type: 'direct', to: [owner.id, friend.id], content: 'Among us' })
    const told = await say(friend, channelId, 'beans', 'Remember the prattle')
    const at = Math.floor(Date.now() / 1000) + 86_400
    await owner.call('POST', '/reminders', { message_id: told, scheduled_delivery_timestamp: at })
    const page = await openAs(browser(), owner, '/reminders')
    await page.getByRole('main').getByText('hidden message').waitFor()
    expect(await readTexts(page)).not.toMatch(MUTED_NAME_OR_TEXT)
    const group = /Muted person and Olga Other|Olga Other and Muted person/
    for (const path of ['/inbox', '/recent']) {
      await show(page, path)
      await page.getByRole('main').getByText('Among us').first().waitFor()
      await page.getByRole('main').getByText(group).first().waitFor()
      expect([path, MUTED_NAME_OR_TEXT.exec(await readTexts(page))?.[0]]).toEqual([path, undefined])
    }
    await page.getByRole('main').getByRole('link', { name: group }).first().click()
    await list(page).getByText('Among us').waitFor()
    await page.getByRole('heading', { name: group }).waitFor()
    await page.getByRole('textbox', { name: group }).waitFor()
    expect(await page.title()).toMatch(group)
    // Only the recipient field names muted people.
    await page.locator('.to-chip').getByText('Fred Friend').waitFor()
    expect(await readTexts(page, '.to-chip')).not.toMatch(MUTED_NAME_OR_TEXT)
  })
})

describe.skipIf(!hasBrowser)('bans', () => {
  it('bans a person with a reason, lists bans in pages, and lifts a ban in settings', async () => {
    const { owner, friend, channelId, user } = await createTeamOn(server())
    await say(friend, channelId, 'beans', 'Buy beans')
    const page = await openAs(browser(), owner, `/c/${channelId}/t/beans`)
    await list(page).getByRole('button', { name: 'Fred Friend’s profile' }).click()
    await page.getByRole('dialog', { name: 'Fred Friend' }).getByRole('button', { name: 'Ban', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Ban Fred Friend' })
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Spam')
    await dialog.getByRole('combobox', { name: 'Ends' }).selectOption('After a week')
    expect(await accessibilityFaults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Ban', exact: true }).click()
    await page.getByText('Fred Friend banned').waitFor()
    const [ban] = (await owner.call('GET', '/bans')).bans
    expect(ban).toMatchObject({ user_id: friend.id, reason: 'Spam' })
    expect((ban?.ends_at ?? 0) - (ban?.banned_at ?? 0)).toBe(7 * 86_400)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(async () => (await owner.call('GET', '/bans')).bans).toEqual([])
    await show(page, '/settings/bans')
    await page.getByText('No one is banned').waitFor()
    await page.route('**/api/v1/bans*', async (route) => {
      const url = new URL(route.request().url())
      url.searchParams.set('limit', '1')
      await route.continue({ url: url.href })
    })
    await owner.call('POST', `/users/${friend.id}/ban`, { reason: 'Again' })
    await owner.call('POST', `/users/${(await user('Olga Other')).id}/ban`, { reason: 'Links' })
    const bans = page.getByRole('list', { name: 'Bans' }).getByRole('listitem')
    await expect.poll(async () => bans.count()).toBe(2)
    await bans.filter({ hasText: 'Again' }).getByText('When someone lifts it').waitFor()
    await page.getByRole('button', { name: 'Lift the ban of Olga Other' }).click()
    await page.getByRole('button', { name: 'Lift the ban of Fred Friend' }).click()
    await page.getByText('No one is banned').waitFor()
  })
})
