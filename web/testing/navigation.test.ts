import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { TestUser } from '../../server/src/testing/user.ts'
import { accessibilityFaults, addressOf, hasBrowser } from './browser.ts'
import { useTeam } from './shared.ts'
import { composer, list, createChannel, say, type Team } from './team.ts'
import { showView } from './views.ts'

const { team, visit, makeTeam, openPage } = useTeam()

const main = (page: Page) => page.getByRole('main')
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 })
const viewsRegion = (page: Page) =>
  page.getByRole('navigation', { name: 'Conversations' }).getByRole('region', { name: 'Views' })
const DAY_SECONDS = 86_400

interface StoredReminder {
  readonly reminder_id: number
  readonly reminder_target_message_id: number
  readonly scheduled_delivery_timestamp: number
  readonly content: string
}

async function fetchReminders(user: TestUser): Promise<readonly StoredReminder[]> {
  return (await user.call('GET', '/reminders'))['reminders']
}

async function setReminder(user: TestUser, messageId: number, days: number, note = ''): Promise<number> {
  const at = Math.floor(Date.now() / 1000) + days * DAY_SECONDS
  const given = { message_id: messageId, scheduled_delivery_timestamp: at, ...(note === '' ? {} : { note }) }
  await user.call('POST', '/reminders', given)
  return at
}

async function fetchViews(user: TestUser): Promise<readonly { readonly fragment: string }[]> {
  return (await user.call('GET', '/navigation_views'))['navigation_views']
}

/** Returns a team and a page of its owner, who has no reminders or custom views. */
async function teamWithPage(): Promise<Team & { readonly page: Page }> {
  const made = await team()
  const { owner } = made
  for (const { reminder_id } of await fetchReminders(owner)) await owner.call('DELETE', `/reminders/${reminder_id}`)
  for (const { fragment } of await fetchViews(owner))
    await owner.call('DELETE', `/navigation_views/${encodeURIComponent(fragment)}`)
  await owner.call('POST', '/mark_all_as_read')
  return { ...made, page: await visit(owner, '/settings') }
}

describe.skipIf(!hasBrowser)('reminders', () => {
  it('lists reminders with their messages, earliest first, and opens them', async () => {
    const { owner, friend, channelId, page } = await teamWithPage()
    const later = await say(friend, channelId, 'beans', 'Water them')
    const direct = await friend.call('POST', '/messages', { type: 'direct', to: [owner.id], content: 'Call me' })
    await setReminder(owner, later, 3, 'Before it is hot')
    await setReminder(owner, direct['id'], 1)
    await viewsRegion(page)
      .getByRole('link', { name: /^Reminders/ })
      .click()
    await heading(page, 'Reminders').waitFor()
    const rows = main(page).getByRole('listitem')
    await expect
      .poll(async () => rows.allInnerTexts())
      .toEqual([
        expect.stringMatching(/Fred Friend[^]*Call me/),
        expect.stringMatching(/garden[^]*beans[^]*Fred Friend: Water them[^]*Before it is hot/),
      ])
    await rows.nth(1).getByRole('link').click()
    await heading(page, /beans/).waitFor()
    expect(page.url()).toContain(`near=${later}`)
  })

  it.each([
    ['/reminders', 'No reminders'],
    ['/writing', 'No drafts or scheduled messages'],
  ])('changes and deletes a reminder by keyboard in %s, and undoes both', async (path, empty) => {
    const { owner, friend, channelId, page } = await teamWithPage()
    const id = await say(friend, channelId, 'beans', 'Water them')
    const at = await setReminder(owner, id, 3, 'Before it is hot')
    await showView(page, path)
    const change = main(page).getByRole('button', { name: /^Change time: beans in garden/ })
    const name = await change.getAttribute('aria-label')
    await change.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: /^In an hour/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText(/^Reminder set/).waitFor()
    const times = async () => (await fetchReminders(owner)).map((one) => one.scheduled_delivery_timestamp)
    expect((await times()).every((time) => time < at - DAY_SECONDS)).toBe(true)
    const [moved] = await fetchReminders(owner)
    expect(moved?.reminder_target_message_id).toBe(id)
    expect(moved?.content).toContain('> Before it is hot')
    await page.keyboard.press('Control+z')
    // Waits for events: before, the page shows the deleted reminder instead of, or next to, the restored reminder.
    await expect
      .poll(async () => change.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label'))))
      .toEqual([name])
    expect(await times()).toEqual([at])
    await main(page)
      .getByRole('button', { name: /^Delete reminder: beans in garden/ })
      .focus()
    await page.keyboard.press('Enter')
    await main(page).getByText(empty).waitFor()
    expect(await times()).toEqual([])
    await page.keyboard.press('Control+z')
    await main(page).getByText('Water them').waitFor()
    expect(await times()).toEqual([at])
    await main(page).getByRole('link', { name: 'beans' }).click()
    await heading(page, /beans/).waitFor()
    expect(page.url()).toContain(`near=${id}`)
  })

  it('shows new reminders live, and reports a reminder whose message was deleted', async () => {
    const { owner, friend, channelId, page } = await teamWithPage()
    await showView(page, '/reminders')
    await main(page).getByText('No reminders').waitFor()
    const id = await say(friend, channelId, 'beans', 'Water them')
    await setReminder(owner, id, 3)
    await main(page).getByText('Water them').waitFor()
    await friend.call('DELETE', `/messages/${id}`)
    await page.reload()
    await main(page).getByText('This message no longer exists.').waitFor()
    expect(await main(page).getByText('Water them').count()).toBe(0)
  })
})

describe.skipIf(!hasBrowser)('custom views', () => {
  it('creates a view from a search, renames it, removes it, and undoes the removal', async () => {
    const { owner, friend, channelId, page } = await teamWithPage()
    await say(friend, channelId, 'beans', 'Grow tall')
    await showView(page, `/search?q=${encodeURIComponent('channel:garden sender:"Fred Friend" tall')}`)
    await main(page).getByRole('button', { name: 'More', exact: true }).first().click()
    await page.getByRole('menuitem', { name: 'Add to views' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add to views' })
    await dialog.getByRole('textbox', { name: 'View name' }).fill('Tall plants')
    await page.keyboard.press('Enter')
    const link = viewsRegion(page).getByRole('link', { name: 'Tall plants' })
    await link.waitFor()
    const fragment = `narrow/channel/${channelId}-garden/sender/${friend.id}/search/tall`
    expect(await fetchViews(owner)).toEqual([{ fragment, is_pinned: true, name: 'Tall plants' }])
    await page.keyboard.press('i')
    await heading(page, 'Inbox').waitFor()
    await link.click()
    await main(page).getByRole('article').filter({ hasText: 'Grow tall' }).waitFor()
    expect(new URL(page.url()).searchParams.get('q')).toBe('channel:garden sender:"Fred Friend" tall')
    await page.keyboard.press('i')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('tall pl')
    await page.getByRole('option', { name: /Tall plants/ }).waitFor()
    await page.keyboard.press('Enter')
    await main(page).getByRole('article').filter({ hasText: 'Grow tall' }).waitFor()
    await showView(page, '/settings/views')
    await main(page).getByRole('button', { name: 'Rename Tall plants' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'View name' }).fill('Trees')
    await page.keyboard.press('Enter')
    await viewsRegion(page).getByRole('link', { name: 'Trees' }).waitFor()
    await main(page).getByRole('button', { name: 'Remove Trees from views' }).click()
    await viewsRegion(page).getByRole('link', { name: 'Trees' }).waitFor({ state: 'hidden' })
    expect(await fetchViews(owner)).toEqual([])
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await viewsRegion(page).getByRole('link', { name: 'Trees' }).waitFor()
  })

  it('creates views from a topic, a channel, and a DM', async () => {
    const { friend, channelId, page } = await teamWithPage()
    await say(friend, channelId, 'beans (1.5)', 'Grow')
    await showView(page, `/c/${channelId}/t/${encodeURIComponent('beans (1.5)')}`)
    const add = async (name: string, link: string): Promise<void> => {
      await heading(page, new RegExp(name.replaceAll(/[().]/g, String.raw`\$&`))).waitFor()
      await main(page).getByRole('button', { name: 'More', exact: true }).first().click()
      await page.getByRole('menuitem', { name: 'Add to views' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
      await viewsRegion(page).getByRole('link', { name: link, exact: true }).waitFor()
    }
    await add('beans (1.5)', 'beans (1.5) in garden')
    await composer(page).press('Escape')
    await page.keyboard.press('s')
    await page.getByRole('textbox', { name: 'Message to garden', exact: true }).waitFor()
    await add('garden', 'garden')
    await showView(page, `/dm/${friend.id}`)
    await add('Fred Friend', 'Fred Friend')
    await viewsRegion(page).getByRole('link', { name: /beans/ }).click()
    await heading(page, /beans \(1\.5\)/).waitFor()
    await main(page).getByRole('button', { name: 'More', exact: true }).first().click()
    await page.getByRole('menuitem', { name: 'Remove from views' }).click()
    await viewsRegion(page).getByRole('link', { name: /beans/ }).waitFor({ state: 'hidden' })
    expect(await viewsRegion(page).getByRole('link', { name: 'garden' }).count()).toBe(1)
  })

  it('shows an error if a view cannot be saved, and rejects a blank name', async () => {
    const { owner, channelId, page } = await teamWithPage()
    await showView(page, `/c/${channelId}/t/beans`)
    await main(page).getByRole('button', { name: 'More', exact: true }).first().click()
    await page.getByRole('menuitem', { name: 'Add to views' }).click()
    const addButton = page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true })
    await addButton.waitFor()
    await page.context().setOffline(true)
    await addButton.click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
    await page.context().setOffline(false)
    await page.getByRole('dialog').getByRole('textbox').fill('   ')
    await page.keyboard.press('Enter')
    expect(await fetchViews(owner)).toEqual([])
  })

  it('reorders views by keyboard and by dragging', async () => {
    const { owner } = await makeTeam()
    const page = await openPage(owner, '/settings/views')
    const names = () => viewsRegion(page).getByRole('link').allInnerTexts()
    const before = ['Inbox', 'Recent', 'Mentions', 'Starred', 'Drafts']
    await expect.poll(names).toEqual(before)
    await main(page).getByRole('button', { name: 'Move Drafts up' }).focus()
    const rows = () => main(page).getByRole('listitem').allInnerTexts()
    for (const at of [5, 4, 3, 2, 1, 0, 0]) {
      await page.keyboard.press('Enter')
      await expect.poll(async () => (await rows()).indexOf('Drafts')).toBe(at)
    }
    await expect.poll(names).toEqual(['Drafts', ...before.filter((name) => name !== 'Drafts')])
    // On the first view, the button has no effect but keeps the focus.
    expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Move Drafts up')
    const row = (name: string) => main(page).getByRole('listitem').filter({ hasText: name })
    await row('Starred').dragTo(row('Inbox'))
    const after = ['Drafts', 'Starred', ...before.filter((name) => !/Drafts|Starred/.test(name))]
    await expect.poll(names).toEqual(after)
    await page.reload()
    await expect.poll(names).toEqual(after)
  })
})

async function followLink(page: Page, link: string): Promise<void> {
  if (!link.startsWith('/#')) await showView(page, link)
  else await page.evaluate((fragment) => window.location.assign(fragment), link.slice(1))
}

describe.skipIf(!hasBrowser)('links to messages', () => {
  it('opens a moved message in its current conversation from every link format', async () => {
    const { owner: author, friend: reader, channelId } = await team()
    const page = await visit(reader)
    const secret = await createChannel(author, 'cellar', [], { invite_only: true })
    const direct = await author.call('POST', '/messages', { type: 'direct', to: [reader.id], content: 'Only you' })
    const moved: [place: string, id: number][] = [[`dm/${author.id}`, direct['id']]]
    const move = async (where: number, place: string, change: Record<string, unknown>): Promise<void> => {
      const topic = `pods ${moved.length}`
      const id = await say(author, where, topic, `Linked in ${topic}`)
      await say(author, where, topic, 'Its neighbor')
      await author.call('PATCH', `/messages/${id}`, { propagate_mode: 'change_all', ...change })
      moved.push([place, id])
    }
    await move(channelId, `c/${channelId}-garden/t/%E2%9C%94%20pods%201`, { topic: '✔ pods 1' })
    await move(channelId, `c/${channelId}-garden/t/alone`, { topic: 'alone', propagate_mode: 'change_one' })
    await move(secret, `c/${channelId}-garden/t/pods%203`, { stream_id: channelId })
    for (const [index, [place, id]] of moved.entries()) {
      const [where, narrow] = [
        index === 3 ? secret : channelId,
        index === 3 ? `channel/${secret}` : `stream/${channelId}-x`,
      ]
      const topic = `pods ${index}`
      const links = [
        index === 0 ? `/dm/${reader.id}?near=${id}` : `/c/${where}/t/${encodeURIComponent(topic)}?near=${id}`,
        index === 0
          ? `/#narrow/dm/${reader.id},${author.id}-dm/near/${id}`
          : `/#narrow/${narrow}/topic/pods.20${index}/near/${id}`,
        `/#narrow/${narrow}/subject/pods.20${index}/with/${id}`,
      ]
      for (const link of links) {
        await followLink(page, link)
        await list(page)
          .getByText(index === 0 ? 'Only you' : `Linked in ${topic}`)
          .waitFor()
        await expect.poll(() => [link, page.url()]).toEqual([link, addressOf(reader, `/${place}?near=${id}`)])
      }
    }
    // Links to a feed open the message there, or in its topic if the feed no longer contains it.
    const [id, rescued] = [moved[1]?.[1] ?? 0, moved[3]?.[1] ?? 0]
    for (const [link, to] of [
      [`/#narrow/channel/${channelId}-garden/near/${id}`, `/c/${channelId}-garden/feed?near=${id}`],
      [`/c/${channelId}?near=${id}`, `/c/${channelId}?near=${id}`],
      [`/#narrow/near/${id}`, `/feed?near=${id}`],
      [`/c/${secret}/feed?near=${rescued}`, `/c/${channelId}-garden/t/pods%203?near=${rescued}`],
    ] as const) {
      await followLink(page, link)
      await list(page)
        .or(page.getByRole('region', { name: 'Messages' }))
        .getByText(/Linked in/)
        .first()
        .waitFor()
      await expect.poll(() => [link, page.url()]).toEqual([link, addressOf(reader, to)])
    }
  })

  it('responds to a link in the same way if its message is hidden, deleted, or unknown', async () => {
    const { owner: author, friend: reader, channelId } = await team()
    const page = await visit(reader)
    const secret = await createChannel(author, 'attic', [], { invite_only: true })
    const hidden = await say(author, channelId, 'leeks', 'Taken away')
    await author.call('PATCH', `/messages/${hidden}`, { stream_id: secret, topic: 'loot' })
    const deleted = await say(author, channelId, 'leeks', 'Deleted')
    await author.call('DELETE', `/messages/${deleted}`)
    await say(author, channelId, 'leeks', 'Stays')
    const seen = new Set<string>()
    for (const where of [`c/${channelId}-garden/t/leeks`, `c/${secret}/t/loot`, 'c/999999/t/loot']) {
      for (const id of [hidden, deleted, 999_999_999]) {
        const asked = page.waitForResponse(/message_ids/)
        await showView(page, `/${where}?near=${id}`)
        await asked
        expect(new URL(page.url()).pathname).toBe(`/${where}`)
        seen.add(await main(page).getByRole('heading', { level: 1 }).innerText())
      }
    }
    expect([...seen]).toEqual([expect.stringContaining('leeks'), 'Page not found'])
  })
})

describe.skipIf(!hasBrowser)('command palette', () => {
  const field = (page: Page) => page.getByRole('combobox', { name: 'Go to a conversation or run a command' })
  const options = (page: Page) => page.getByRole('option')

  it('finds conversations, people, channels, commands with their shortcuts, and messages in the palette', async () => {
    const { friend, channelId, page } = await teamWithPage()
    await say(friend, channelId, 'green beans', 'They are budding')
    await showView(page, `/c/${channelId}/t/green%20beans`)
    await list(page).getByText('budding').waitFor()
    await page.keyboard.press('Control+k')
    await field(page).fill('bea gar')
    await options(page).filter({ hasText: 'green beans' }).first().waitFor()
    await field(page).fill('@fre')
    await options(page).filter({ hasText: 'Fred Friend' }).waitFor()
    await field(page).fill('#gar')
    await options(page).filter({ hasText: 'garden' }).first().waitFor()
    await field(page).fill('>recent')
    await page.getByRole('option', { name: /^Open recent conversations.*T$/ }).waitFor()
    await field(page).fill('budding')
    await page.getByRole('option', { name: /They are budding/ }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toContain('near=')
  })

  it('sends all keys and clicks to the open palette, and returns the focus when it closes', async () => {
    const { owner, friend, channelId } = await team()
    await say(friend, channelId, 'carrots', 'They are sprouting')
    const page = await openPage(owner, `/c/${channelId}/t/carrots`)
    await list(page).getByText('sprouting').waitFor()
    const isFocused = async (what: Locator) => what.evaluate((element) => element === document.activeElement)
    // In the first round, the palette's script has not loaded yet.
    for (const close of ['Escape', 'outside', 'Escape'] as const) {
      await composer(page).focus()
      await page.keyboard.press('Control+k')
      await options(page).first().waitFor()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Shift+Tab')
      await page.keyboard.press('?')
      expect(await field(page).inputValue()).toBe('?')
      expect(await isFocused(field(page))).toBe(true)
      if (close === 'Escape') await page.keyboard.press('Escape')
      // Clicks a link to another view, which must only close the palette.
      else await page.locator('.sidebar a[href="/recent"]').click({ force: true })
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
      await expect.poll(async () => isFocused(composer(page))).toBe(true)
      expect(page.url()).toContain('/t/carrots')
    }
  })

  it('lists frequently opened conversations first in the palette', async () => {
    const { owner, friend, channelId, page } = await teamWithPage()
    await say(friend, channelId, 'plans for spring', 'One')
    await say(friend, channelId, 'plans for autumn', 'Two')
    for (let time = 0; time < 4; time += 1) {
      await showView(page, `/c/${channelId}/t/${encodeURIComponent('plans for spring')}`)
      await list(page).getByText('One').waitFor()
      await showView(page, '/inbox')
      await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    }
    // The palette also knows conversations without unread messages.
    await owner.call('POST', '/mark_all_as_read')
    await page.reload()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.keyboard.press('Control+k')
    await field(page).fill('plans')
    await expect.poll(async () => options(page).filter({ hasText: 'plans for' }).count()).toBe(2)
    await expect.poll(async () => (await options(page).allInnerTexts())[0]).toContain('plans for spring')
  })
})
