import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { useTestServer } from '../../server/src/testing/server.ts'
import type { TestUser } from '../../server/src/testing/user.ts'
import { accessibilityFaults, hasBrowser, LOCAL_DOMAIN, openAs, useBrowser } from './browser.ts'
import { composer, contentsOf, hasRead, list, say, teamOn, type Team } from './team.ts'

const server = useTestServer(LOCAL_DOMAIN)
const browser = useBrowser()
const team = async (): Promise<Team> => teamOn(server())

const main = (page: Page) => page.getByRole('main')
const row = (page: Page, name: RegExp) => main(page).getByRole('link', { name })
const hasFocus = (page: Page, name: RegExp) => async () =>
  row(page, name).evaluate((element) => element === document.activeElement)

async function write(from: TestUser, to: TestUser, content: string): Promise<number> {
  const { id } = await from.call('POST', '/messages', { type: 'direct', to: [to.id], content })
  return Number(id)
}

describe.skipIf(!hasBrowser)('the inbox', () => {
  it('groups by folder what is unread, with who wrote and what', async () => {
    const { owner, friend, channelId } = await team()
    const { channel_folder_id } = await owner.call('POST', '/channel_folders/create', {
      name: 'Outside',
      description: '',
    })
    await owner.call('PATCH', `/streams/${channelId}`, { folder_id: channel_folder_id })
    await say(friend, channelId, 'beans', 'They are **sprouting**')
    await write(friend, owner, 'Between us')
    const page = await openAs(browser(), owner)
    const folder = main(page).getByRole('group', { name: 'Outside' })
    await folder.getByText('Fred Friend: They are sprouting').waitFor()
    await folder.getByRole('link', { name: /^garden/ }).waitFor()
    await main(page).getByRole('group', { name: 'Direct messages' }).getByText('Between us').waitFor()
    await main(page).getByText('2 unread messages in 2 conversations').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it('is gone through by the keyboard alone: read, undo, mute, remind, open', async () => {
    const { owner, friend, channelId } = await team()
    const ids = [
      await say(friend, channelId, 'beans', 'One'),
      await say(friend, channelId, 'peas', 'Two'),
      await say(friend, channelId, 'roses', 'Three'),
    ]
    const page = await openAs(browser(), owner)
    await row(page, /^roses/).waitFor()
    await page.keyboard.press('j')
    await expect.poll(hasFocus(page, /^roses/)).toBe(true)
    await page.keyboard.press('ArrowDown')
    await expect.poll(hasFocus(page, /^peas/)).toBe(true)
    await page.keyboard.press('e')
    await expect.poll(() => row(page, /^peas/).count()).toBe(0)
    expect(await hasRead(owner, ids[1] ?? 0)).toBe(true)
    await expect.poll(hasFocus(page, /^beans/)).toBe(true)
    await page.keyboard.press('u')
    await row(page, /^peas/).waitFor()
    expect(await hasRead(owner, ids[1] ?? 0)).toBe(false)
    await page.keyboard.press('m')
    await expect.poll(() => row(page, /^beans/).count()).toBe(0)
    await expect.poll(hasFocus(page, /^peas/)).toBe(true)
    await page.keyboard.press('h')
    await page.getByRole('menuitem', { name: /^In an hour/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText(/^You will be reminded/).waitFor()
    const { reminders } = await owner.call('GET', '/reminders')
    expect(reminders).toHaveLength(1)
    await expect.poll(hasFocus(page, /^peas/)).toBe(true)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /peas/ }).waitFor()
  })

  it('says that all is read, and gladly', async () => {
    const { owner, friend, channelId } = await team()
    await say(friend, channelId, 'beans', 'One')
    const page = await openAs(browser(), owner, '/inbox', { viewport: { width: 320, height: 640 }, hasTouch: true })
    await main(page).getByRole('button', { name: 'Mark as read: beans in garden' }).tap()
    await main(page).getByText('You have read everything').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })
})

describe.skipIf(!hasBrowser)('recent conversations', () => {
  it('are complete beyond the first page, also when something happens meanwhile', async () => {
    const { owner, friend, channelId } = await team()
    for (let number = 0; number < 60; number += 1) await say(friend, channelId, `topic ${number}`, `Message ${number}`)
    const page = await openAs(browser(), owner, '/recent')
    await row(page, /topic 59/).waitFor()
    await main(page).getByRole('button', { name: 'Show older ones' }).scrollIntoViewIfNeeded()
    await row(page, /topic 0 /).waitFor()
    await say(friend, channelId, 'topic 3', 'Again')
    await row(page, /topic 3 .*Again/).waitFor()
    await row(page, /topic 0 /).waitFor()
    expect(await main(page).getByRole('listitem').count()).toBe(60)
  })

  it('are limited by filters, which stand in the address', async () => {
    const { owner, friend, channelId } = await team()
    await say(friend, channelId, 'beans', 'Read me')
    const mine = await say(owner, channelId, 'peas', 'Mine')
    await owner.call('POST', '/messages/flags', { messages: [mine], op: 'add', flag: 'read' })
    await say(friend, channelId, '✔ settled', 'Over')
    await owner.call('POST', '/user_topics', { stream_id: channelId, topic: 'peas', visibility_policy: 3 })
    const page = await openAs(browser(), owner, '/recent')
    await row(page, /settled/).waitFor()
    const filter = (name: string) => main(page).getByRole('button', { name, exact: true })
    await filter('Unresolved').click()
    await expect.poll(() => row(page, /settled/).count()).toBe(0)
    await filter('I wrote').focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => row(page, /beans/).count()).toBe(0)
    expect(new URL(page.url()).search).toBe('?show=participated,unresolved')
    await page.reload()
    await row(page, /peas/).waitFor()
    expect(await filter('I wrote').getAttribute('aria-pressed')).toBe('true')
    await filter('Unread').click()
    await main(page).getByText('No conversation is all of this').waitFor()
    await filter('Unread').click()
    await filter('I wrote').click()
    await filter('Unresolved').click()
    await filter('Followed').click()
    await row(page, /peas/).waitFor()
    await expect.poll(() => main(page).getByRole('listitem').count()).toBe(1)
  })
})

describe.skipIf(!hasBrowser)('triage', () => {
  it('goes through what is unread, and undoes all of it', async () => {
    const { owner, friend, channelId } = await team()
    const ids = [
      await say(friend, channelId, 'beans', 'One'),
      await say(friend, channelId, 'peas', 'Two'),
      await say(friend, channelId, 'roses', 'Three'),
      await write(friend, owner, 'For you'),
    ]
    const muted = await say(friend, channelId, 'noise', 'Never')
    await owner.call('POST', '/user_topics', { stream_id: channelId, topic: 'noise', visibility_policy: 1 })
    const page = await openAs(browser(), owner)
    await row(page, /^roses/).waitFor()
    await page.keyboard.press('Shift+N')
    const heading = (name: RegExp) => main(page).getByRole('heading', { name })
    // What is for oneself comes first.
    await heading(/^Fred Friend/).waitFor()
    await list(page).getByText('For you').waitFor()
    expect(await page.getByRole('navigation', { name: 'Conversations' }).isVisible()).toBe(false)
    await composer(page).fill('An answer')
    await page.keyboard.press('Control+Enter')
    await list(page).getByText('An answer').waitFor()
    await main(page).getByRole('button', { name: 'Done' }).click()
    await heading(/roses/).waitFor()
    await page.keyboard.press('h')
    await page.getByRole('menuitem', { name: /^In an hour/ }).click()
    await heading(/peas/).waitFor()
    await page.keyboard.press('m')
    await heading(/beans/).waitFor()
    await list(page).getByText('One').waitFor()
    await page.keyboard.press('n')
    await heading(/^That was all/).waitFor()
    await main(page)
      .getByText(/^You went through 2 messages in 4 conversations/)
      .waitFor()
    const read = async () => Promise.all([...ids, muted].map(async (id) => hasRead(owner, id)))
    await expect.poll(read).toEqual([false, false, true, true, false])
    await main(page).getByRole('button', { name: 'Undo all' }).click()
    await main(page).getByText('Everything is as it was before.').waitFor()
    expect(await read()).toEqual([false, false, false, false, false])
    const { reminders } = await owner.call('GET', '/reminders')
    expect(reminders).toEqual([])
    expect(await contentsOf(friend)).toContain('<p>An answer</p>')
    await main(page).getByRole('link', { name: 'To the inbox' }).click()
    for (const name of [/^roses/, /^peas/, /^beans/]) await row(page, name).waitFor()
  })

  it('goes back, marks nothing that is skipped, and is left by Escape', async () => {
    const { owner, friend, channelId } = await team()
    const id = await say(friend, channelId, 'beans', 'One')
    await say(friend, channelId, 'peas', 'Two')
    const page = await openAs(browser(), owner, '/triage', { viewport: { width: 320, height: 640 } })
    const heading = (name: RegExp) => main(page).getByRole('heading', { name })
    await heading(/peas/).waitFor()
    await page.keyboard.press('ArrowRight')
    await heading(/beans/).waitFor()
    await list(page).getByText('One').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.keyboard.press('ArrowLeft')
    await heading(/peas/).waitFor()
    await page.keyboard.press('Escape')
    await heading(/^Inbox/).waitFor()
    expect(await hasRead(owner, id)).toBe(false)
  })

  it('says that there is nothing to go through', async () => {
    const { owner } = await team()
    const page = await openAs(browser(), owner, '/triage')
    await main(page).getByRole('heading', { name: 'There is nothing to go through' }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })
})
