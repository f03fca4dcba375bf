import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { TestUser } from '../../server/src/testing/user.ts'
import { accessibilityFaults, hasBrowser, pressShortcut, show } from './browser.ts'
import { useTeam } from './shared.ts'
import {
  composer,
  fetchTopicContents,
  fetchContents,
  hasRead,
  leaveComposer,
  list,
  say,
  type Team,
  withChannel,
} from './team.ts'

const { team, visit, makeTeam, openPage } = useTeam()

/** Returns the team, whose owner has read everything and has no reminders. */
async function teamWithAllRead(): Promise<Team> {
  const calm = await team()
  await calm.owner.call('POST', '/mark_all_as_read')
  const { reminders } = await calm.owner.call('GET', '/reminders')
  for (const { reminder_id: id } of reminders) await calm.owner.call('DELETE', `/reminders/${id}`)
  return calm
}

const main = (page: Page) => page.getByRole('main')
const row = (page: Page, name: RegExp) => main(page).getByRole('link', { name })
const hasFocus = (page: Page, name: RegExp) => async () =>
  row(page, name).evaluate((element) => element === document.activeElement)

/** Moves the pointer and the focus out of the list, which then takes its new order. */
async function leaveList(page: Page): Promise<void> {
  await page.mouse.move(-1, -1)
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
}

async function sendDirect(from: TestUser, to: TestUser, content: string): Promise<number> {
  const { id } = await from.call('POST', '/messages', { type: 'direct', to: [to.id], content })
  return id
}

describe.skipIf(!hasBrowser)('inbox', () => {
  it('groups unread conversations by folder, and shows the newest message of each', async () => {
    const { owner, friend, channelId } = await teamWithAllRead()
    const { channel_folder_id } = await owner.call('POST', '/channel_folders/create', {
      name: 'Outside',
      description: '',
    })
    await owner.call('PATCH', `/streams/${channelId}`, { folder_id: channel_folder_id })
    await say(friend, channelId, 'beans', 'They are **sprouting**')
    await sendDirect(friend, owner, 'Between us')
    const page = await visit(owner)
    const folder = main(page).getByRole('group', { name: 'Outside' })
    await folder.getByText('Fred Friend: They are sprouting').waitFor()
    await folder.getByRole('link', { name: /^garden/ }).waitFor()
    await main(page).getByRole('group', { name: 'Direct messages' }).getByText('Between us').waitFor()
    await main(page).getByText('2 unread messages in 2 conversations').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it('mutes topics, channels, and people in the inbox, and undoes that', async () => {
    const { owner, friend, channelId } = await teamWithAllRead()
    await say(friend, channelId, 'beans', 'One')
    const direct = await sendDirect(friend, owner, 'Between us')
    const mutedPeople = async () => (await owner.call('POST', '/register'))['muted_users']
    const page = await visit(owner)
    const waitForRowGone = async (name: RegExp) => {
      await leaveList(page)
      await row(page, name).waitFor({ state: 'detached' })
    }
    // An action can be undone only once the server has confirmed it.
    const muted = async (name: string) => {
      await page.getByText(`${name} muted`, { exact: true }).waitFor()
      // The focus may have moved from the removed row to the next row.
      await leaveList(page)
    }
    await row(page, /^beans/).focus()
    await pressShortcut(page, 'm')
    await row(page, /^beans\s*, muted/).waitFor()
    await waitForRowGone(/^beans/)
    await muted('beans')
    await pressShortcut(page, 'u')
    await row(page, /^beans/).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Mute', exact: true }).click()
    await waitForRowGone(/^beans/)
    await muted('beans')
    await pressShortcut(page, 'u')
    await row(page, /^beans/).waitFor()
    await main(page).getByRole('link', { name: 'garden', exact: true }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Mute', exact: true }).press('Enter')
    await waitForRowGone(/^beans/)
    await muted('garden')
    await pressShortcut(page, 'u')
    await row(page, /^beans/).waitFor()
    // Muting a DM mutes the person, which also marks their messages as read.
    await row(page, /^Fred Friend/).focus()
    await pressShortcut(page, 'm')
    await waitForRowGone(/^Fred Friend/)
    await waitForRowGone(/^beans/)
    await muted('Fred Friend')
    expect(await mutedPeople()).toMatchObject([{ id: friend.id }])
    expect(await hasRead(owner, direct)).toBe(true)
    await pressShortcut(page, 'u')
    await row(page, /^Fred Friend/).waitFor()
    await row(page, /^beans/).waitFor()
    expect(await mutedPeople()).toEqual([])
    expect(await hasRead(owner, direct)).toBe(false)
    await main(page)
      .getByRole('button', { name: /^Mute person: Fred Friend/ })
      .click()
    await waitForRowGone(/^Fred Friend/)
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await row(page, /^Fred Friend/).waitFor()
  })

  it('offers to mute a person in a DM with one person, but not in a group DM', async () => {
    const { owner, friend, user } = await teamWithAllRead()
    const third = await user('Tina Third')
    await sendDirect(friend, owner, 'Between us')
    await friend.call('POST', '/messages', { type: 'direct', to: [owner.id, third.id], content: 'All of us' })
    const page = await visit(owner)
    const sidebar = page.getByRole('navigation', { name: 'Conversations' })
    await sidebar.getByRole('link', { name: /^Fred Friend and Tina/ }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Mark all as read' }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'Mute person' }).count()).toBe(0)
    await pressShortcut(page, 'Escape')
    await sidebar.getByRole('link', { name: /^Fred Friend(?! and)/ }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Mute person' }).press('Enter')
    await page.getByText('Fred Friend muted').waitFor()
    await sidebar.getByRole('link', { name: /^Fred Friend, muted/ }).waitFor({ state: 'hidden' })
    await pressShortcut(page, 'Control+z')
    await sidebar.getByRole('link', { name: /^Fred Friend(?! and)/ }).waitFor()
  })

  it('operates the inbox by keyboard', async () => {
    const { owner, friend, channelId } = await teamWithAllRead()
    const ids = [
      await say(friend, channelId, 'tulips', 'One'),
      await say(friend, channelId, 'lilies', 'Two'),
      await say(friend, channelId, 'daisies', 'Three'),
    ]
    const page = await visit(owner)
    await row(page, /^daisies/).waitFor()
    await pressShortcut(page, 'j')
    await expect.poll(hasFocus(page, /^daisies/)).toBe(true)
    await pressShortcut(page, 'ArrowDown')
    await expect.poll(hasFocus(page, /^lilies/)).toBe(true)
    await pressShortcut(page, 'e')
    await row(page, /^lilies(?!.*unread)/).waitFor()
    expect(await hasRead(owner, ids[1] ?? 0)).toBe(true)
    await expect.poll(hasFocus(page, /^tulips/)).toBe(true)
    await pressShortcut(page, 'u')
    await row(page, /^lilies.*unread/).waitFor()
    expect(await hasRead(owner, ids[1] ?? 0)).toBe(false)
    await pressShortcut(page, 'm')
    await row(page, /^tulips\s*, muted/).waitFor()
    await expect.poll(hasFocus(page, /^lilies/)).toBe(true)
    await pressShortcut(page, 'h')
    await page.getByRole('menuitem', { name: /^In an hour/ }).waitFor()
    await pressShortcut(page, 'Enter')
    await page.getByText(/^Reminder set/).waitFor()
    const { reminders } = await owner.call('GET', '/reminders')
    expect(reminders).toHaveLength(1)
    await expect.poll(hasFocus(page, /^lilies/)).toBe(true)
    await pressShortcut(page, 'Enter')
    await page.getByRole('heading', { name: /lilies/ }).waitFor()
  })

  it('reports in an empty inbox that everything is read', async () => {
    const { owner, friend, channelId } = await teamWithAllRead()
    await say(friend, channelId, 'turnips', 'One')
    const page = await visit(owner, '/inbox', { viewport: { width: 320, height: 640 } })
    await main(page).getByRole('button', { name: 'More: turnips in garden' }).click()
    await page.getByRole('menuitem', { name: 'Mark as read' }).click()
    await main(page).getByText('You’re all caught up').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })
})

describe.skipIf(!hasBrowser)('recent conversations', () => {
  it('lists all recent conversations beyond the first page', async () => {
    const { owner, friend, channelId } = await makeTeam()
    for (let number = 0; number < 60; number += 1) await say(friend, channelId, `topic ${number}`, `Message ${number}`)
    const page = await openPage(owner, '/recent')
    await row(page, /topic 59/).waitFor()
    await main(page).getByRole('button', { name: 'Show older conversations' }).scrollIntoViewIfNeeded()
    await row(page, /topic 0 /).waitFor()
    await say(friend, channelId, 'topic 3', 'Again')
    await row(page, /topic 3 .*Again/).waitFor()
    await row(page, /topic 0 /).waitFor()
    expect(await main(page).getByRole('listitem').count()).toBe(60)
  })

  it('filters recent conversations and keeps the filters in the address', async () => {
    const { owner, friend, channelId } = await teamWithAllRead()
    await say(friend, channelId, 'lettuce', 'Read me')
    const mine = await say(owner, channelId, 'parsley', 'Mine')
    await owner.call('POST', '/messages/flags', { messages: [mine], op: 'add', flag: 'read' })
    await say(friend, channelId, '✔ settled', 'Over')
    await owner.call('POST', '/user_topics', { stream_id: channelId, topic: 'parsley', visibility_policy: 3 })
    const page = await visit(owner, '/recent')
    await row(page, /settled/).waitFor()
    const filter = (name: string) => main(page).getByRole('button', { name, exact: true })
    await filter('Unresolved').click()
    await expect.poll(() => row(page, /settled/).count()).toBe(0)
    await filter('Participated').focus()
    await pressShortcut(page, 'Enter')
    await expect.poll(() => row(page, /lettuce/).count()).toBe(0)
    expect(new URL(page.url()).search).toBe('?show=participated,unresolved')
    await page.reload()
    await row(page, /parsley/).waitFor()
    expect(await filter('Participated').getAttribute('aria-pressed')).toBe('true')
    await filter('Unread').click()
    await main(page).getByText('No matching conversations').waitFor()
    await filter('Unread').click()
    await filter('Participated').click()
    await filter('Unresolved').click()
    await filter('Followed').click()
    await row(page, /parsley/).waitFor()
    await expect.poll(() => main(page).getByRole('listitem').count()).toBe(1)
  })
})

describe.skipIf(!hasBrowser)('triage', () => {
  it('handles each unread conversation in triage, and undoes all changes at once', async () => {
    const { owner, friend, channelId } = await teamWithAllRead()
    const ids = [
      await say(friend, channelId, 'asters', 'One'),
      await say(friend, channelId, 'poppies', 'Two'),
      await say(friend, channelId, 'violets', 'Three'),
      await sendDirect(friend, owner, 'For you'),
    ]
    const muted = await say(friend, channelId, 'noise', 'Never')
    await owner.call('POST', '/user_topics', { stream_id: channelId, topic: 'noise', visibility_policy: 1 })
    const page = await visit(owner)
    await row(page, /^violets/).waitFor()
    await pressShortcut(page, 'Shift+N')
    const heading = (name: RegExp) => main(page).getByRole('heading', { name })
    await heading(/^Fred Friend/).waitFor()
    await list(page).getByText('For you').waitFor()
    expect(await page.getByRole('navigation', { name: 'Conversations' }).isVisible()).toBe(false)
    await composer(page).fill('An answer')
    await pressShortcut(page, 'Control+Enter')
    await list(page).getByText('An answer').waitFor()
    await main(page).getByRole('button', { name: 'Done' }).click()
    await heading(/violets/).waitFor()
    await pressShortcut(page, 'h')
    await page.getByRole('menuitem', { name: /^In an hour/ }).click()
    await heading(/poppies/).waitFor()
    await pressShortcut(page, 'm')
    await heading(/asters/).waitFor()
    await list(page).getByText('One').waitFor()
    await pressShortcut(page, 'n')
    await heading(/^All done/).waitFor()
    await main(page)
      .getByText(/^You triaged 2 messages in 4 conversations/)
      .waitFor()
    const read = async () => Promise.all([...ids, muted].map(async (id) => hasRead(owner, id)))
    await expect.poll(read).toEqual([false, false, true, true, false])
    await main(page).getByRole('button', { name: 'Undo all' }).click()
    await main(page).getByText('All changes undone').waitFor()
    expect(await read()).toEqual([false, false, false, false, false])
    const { reminders } = await owner.call('GET', '/reminders')
    expect(reminders).toEqual([])
    expect(await fetchContents(friend)).toContain('<p>An answer</p>')
    await main(page).getByRole('link', { name: 'Go to inbox' }).click()
    for (const name of [/^violets/, /^poppies/, /^asters/]) await row(page, name).waitFor()
  })

  it('goes back in triage, leaves skipped conversations unread, and returns to the view before', async () => {
    const { owner, friend, channelId } = await teamWithAllRead()
    const id = await say(friend, channelId, 'sage', 'One')
    for (const text of ['Two', 'Three']) await say(friend, channelId, 'thyme', text)
    const page = await visit(owner, '/recent', { viewport: { width: 320, height: 640 } })
    const heading = (name: RegExp) => main(page).getByRole('heading', { name })
    await heading(/^Recent/).waitFor()
    await pressShortcut(page, 'Shift+N')
    await list(page).getByText('Three').waitFor()
    await page.keyboard.press('Space')
    await pressShortcut(page, 'j')
    expect(await page.locator(':focus').textContent()).toContain('Two')
    await pressShortcut(page, 'ArrowRight')
    await heading(/sage/).waitFor()
    await list(page).getByText('One').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    const back = main(page).getByRole('button', { name: 'Back' })
    const title = await heading(/^Triage/).boundingBox()
    expect((await back.boundingBox())?.y).toBeLessThan((title?.y ?? 0) + (title?.height ?? 0))
    await back.click()
    await heading(/thyme/).waitFor()
    await pressShortcut(page, 'Escape')
    await heading(/^Recent/).waitFor()
    expect(await hasRead(owner, id)).toBe(false)
  })

  it('keeps the text and the caret in triage if someone renames the topic', async () => {
    const { owner, friend, channelId, channel } = await withChannel(await team())
    await owner.call('POST', '/mark_all_as_read')
    const id = await say(friend, channelId, 'beans', 'A bean')
    const page = await visit(owner, '/triage')
    await page.getByRole('textbox', { name: `Message to beans in ${channel}` }).fill('abcdef')
    await composer(page).evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(2, 4))
    await friend.call('PATCH', `/messages/${id}`, { topic: 'runner beans', propagate_mode: 'change_all' })
    await page.getByRole('textbox', { name: `Message to runner beans in ${channel}` }).waitFor()
    await page.getByRole('heading', { name: /runner beans/, level: 2 }).waitFor()
    await page.keyboard.type('X')
    expect(await composer(page).inputValue()).toBe('abXef')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => fetchTopicContents(friend, channelId, 'runner beans')).toContain('<p>abXef</p>')
    expect(await fetchTopicContents(friend, channelId, 'beans')).toEqual([])
  })

  it('shows that triage is empty if nothing is unread', async () => {
    const { owner } = await teamWithAllRead()
    const page = await visit(owner, '/triage')
    await main(page).getByRole('heading', { name: 'Nothing to triage' }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })
})

describe.skipIf(!hasBrowser)('message feeds', () => {
  const feed = (page: Page) => page.getByRole('region', { name: 'Messages', exact: true })

  it("lists the user's own messages that other people reacted to, and updates when new reactions arrive", async () => {
    const { owner, friend, channelId } = await teamWithAllRead()
    const [first, second] = [
      await say(owner, channelId, 'beans', 'First'),
      await say(owner, channelId, 'peas', 'Second'),
    ]
    await say(owner, channelId, 'peas', 'Nobody cares')
    await friend.call('POST', `/messages/${first}/reactions`, { emoji_name: 'tada' })
    const page = await visit(owner, '/reactions')
    await feed(page).getByText('First').waitFor()
    expect(await feed(page).getByRole('article').count()).toBe(1)
    await friend.call('POST', `/messages/${second}/reactions`, { emoji_name: 'tada' })
    await feed(page).getByText('Second').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it('marks nothing as read in a feed, and opens a message in its topic', async () => {
    const { owner, friend, channelId } = await teamWithAllRead()
    const id = await say(friend, channelId, 'leeks', 'A question')
    await say(friend, channelId, 'peas', 'Something else')
    const page = await visit(owner, '/feed')
    await feed(page).getByText('A question').waitFor()
    await page.mouse.move(600, 400)
    await pressShortcut(page, 'k')
    await pressShortcut(page, 'k')
    expect(await hasRead(owner, id)).toBe(false)
    await pressShortcut(page, 'Enter')
    await list(page).getByText('A question').waitFor()
    expect(page.url()).toContain('/t/leeks?near=')
  })

  it('opens a channel as a list of topics or as a feed, whichever the person chose last', async () => {
    const { owner, friend, channelId } = await teamWithAllRead()
    await say(friend, channelId, 'chives', 'Said')
    const { preferences: before } = await owner.call('GET', '/preferences')
    const page = await visit(owner, `/c/${channelId}`)
    await row(page, /^chives/).waitFor()
    await leaveComposer(page)
    await pressShortcut(page, 'v')
    await feed(page).getByText('Said').waitFor()
    await show(page, '/inbox')
    await show(page, `/c/${channelId}`)
    await feed(page).getByText('Said').waitFor()
    await main(page).getByRole('link', { name: 'Topics' }).click()
    await row(page, /^chives/).waitFor()
    await expect.poll(async () => (await owner.call('GET', '/preferences'))['preferences']).toEqual(before)
    await page.reload()
    await row(page, /^chives/).waitFor()
    await expect.poll(() => feed(page).count()).toBe(0)
  })
})

describe.skipIf(!hasBrowser)('prefetching', () => {
  it('opens a prefetched conversation offline, and keeps the conversation unread', async () => {
    const { owner, friend, channelId } = await teamWithAllRead()
    const id = await say(friend, channelId, 'fennel', 'Ahead of you')
    await say(friend, channelId, 'dill', 'Never pointed at')
    const page = await visit(owner)
    await row(page, /^fennel/).waitFor()
    const read = page.waitForResponse(
      (response) => response.url().includes('/messages?') && response.url().includes('fennel'),
    )
    await row(page, /^fennel/).hover()
    await (await read).finished()
    expect(await hasRead(owner, id)).toBe(false)
    await page.context().setOffline(true)
    await row(page, /^fennel/).click()
    await list(page).getByText('Ahead of you').waitFor()
    await show(page, `/c/${channelId}/t/dill`)
    await main(page).getByText('Not available offline').waitFor()
    await page.context().setOffline(false)
    await list(page).getByText('Never pointed at').waitFor()
  })
})
