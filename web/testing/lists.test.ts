import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { TestUser } from '../../server/src/testing/user.ts'
import { accessibilityFaults, hasBrowser, pressShortcut, show } from './browser.ts'
import { useTeam } from './shared.ts'
import { say, withChannel, type Team } from './team.ts'

const { team, visit } = useTeam()

const main = (page: Page) => page.getByRole('main')
const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Conversations' })
const inboxRows = (page: Page) => main(page).getByRole('listitem').getByRole('link')

async function teamWithTopics(topics: readonly string[]): Promise<Team & { readonly channel: string }> {
  const made = await withChannel(await team())
  await made.owner.call('POST', '/mark_all_as_read')
  for (const topic of topics) await say(made.friend, made.channelId, topic, 'Hello')
  return made
}

async function sendDirect(from: TestUser, to: TestUser, content: string): Promise<void> {
  await from.call('POST', '/messages', { type: 'direct', to: [to.id], content })
}

/** First words of the rows, without counts and snippets. */
async function namesOf(rows: Locator): Promise<string[]> {
  return (await rows.allInnerTexts()).map((text) => text.trim().split('\n')[0] ?? '')
}

const newRows = (region: Locator, number: number) =>
  region.getByRole('button', { name: `Show ${number} new`, exact: true })

/** Records layout shifts in the view from now on. @returns the first text of each element that moved */
async function recordShifts(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(() => {
    const moved: string[] = []
    const observer = new PerformanceObserver((seen) => {
      for (const entry of seen.getEntries()) {
        // Safe: the observer gets entries of this type only, which the DOM's types lack.
        for (const { node } of (entry as unknown as { readonly sources: readonly { readonly node?: Node }[] }).sources)
          if (node?.parentElement?.closest('main')) moved.push(node.textContent ?? '')
      }
    })
    observer.observe({ type: 'layout-shift' })
    Object.assign(window, { moved })
  })
  return async () => page.evaluate(() => ('moved' in window ? (window.moved as string[]) : ['not recorded']))
}

describe.skipIf(!hasBrowser)('order of lists', () => {
  it('keeps the order of a busy inbox while the pointer is in it, without any layout shift', async () => {
    const { owner, friend, channelId } = await teamWithTopics(['tulips', 'lilies', 'daisies'])
    const page = await visit(owner)
    await expect.poll(async () => namesOf(inboxRows(page))).toEqual(['daisies', 'lilies', 'tulips'])
    const lilies = main(page).getByRole('link', { name: /^lilies/ })
    await lilies.hover()
    const shifts = await recordShifts(page)
    const before = await lilies.boundingBox()
    await say(friend, channelId, 'tulips', 'They open')
    await say(friend, channelId, 'roses', 'They climb')
    await sendDirect(friend, owner, 'Between us')
    await owner.call('POST', '/mark_topic_as_read', { stream_id: channelId, topic_name: 'daisies' })
    await newRows(main(page), 3).waitFor()
    await main(page).getByText('Fred Friend: They open').waitFor()
    await main(page)
      .getByRole('link', { name: /^tulips.*2 unread messages/ })
      .waitFor()
    await expect.poll(async () => lilies.boundingBox()).toEqual(before)
    expect(await namesOf(inboxRows(page))).toEqual(['daisies', 'lilies', 'tulips'])
    expect(
      await main(page)
        .getByRole('link', { name: /^daisies.*unread/ })
        .count(),
    ).toBe(0)
    expect(await shifts()).toEqual([])
    expect(await accessibilityFaults(page)).toEqual([])
    await sidebar(page).getByRole('searchbox').hover()
    await expect.poll(async () => namesOf(inboxRows(page))).toEqual(['Fred Friend', 'roses', 'tulips', 'lilies'])
    expect(await newRows(main(page), 3).count()).toBe(0)
  })

  it('reorders the inbox when the button for new rows is pressed, and keeps the focus in the list', async () => {
    const { owner, friend, channelId } = await teamWithTopics(['oaks', 'elms'])
    const page = await visit(owner)
    await expect.poll(async () => namesOf(inboxRows(page))).toEqual(['elms', 'oaks'])
    await pressShortcut(page, 'j')
    await page.keyboard.press('ArrowDown')
    await expect.poll(async () => page.locator(':focus').innerText()).toMatch(/^oaks/)
    await say(friend, channelId, 'birches', 'They bend')
    const button = newRows(main(page), 1)
    await button.waitFor()
    expect(await namesOf(inboxRows(page))).toEqual(['elms', 'oaks'])
    await page.keyboard.press('e')
    await expect.poll(async () => page.locator(':focus').innerText()).toMatch(/^elms/)
    await main(page)
      .getByRole('link', { name: /^oaks(?!.*unread)/ })
      .waitFor()
    await button.focus()
    await page.keyboard.press('Enter')
    await expect.poll(async () => namesOf(inboxRows(page))).toEqual(['birches', 'elms'])
    await expect.poll(async () => page.locator(':focus').innerText()).toMatch(/^birches/)
    expect(await button.count()).toBe(0)
    await page.keyboard.press('Enter')
    await main(page).getByText('They bend').waitFor()
    await pressShortcut(page, 'Escape')
    await page.goBack()
    await expect.poll(async () => page.locator(':focus').innerText()).toMatch(/^birches/)
    await page.keyboard.press('j')
    await expect.poll(async () => page.locator(':focus').innerText()).toMatch(/^elms/)
  })

  it('keeps the order of the sidebar while the pointer is in it', async () => {
    const { owner, friend, user, channel, channelId } = await teamWithTopics(['figs', 'pears', 'plums'])
    const others = [await user('Ada Able'), await user('Ben Best')]
    for (const other of [...others, friend]) await sendDirect(other, owner, 'Hello')
    const page = await visit(owner)
    await main(page).hover()
    const rows = sidebar(page).getByRole('link', { name: /^(Ada Able|Ben Best|Fred Friend|figs|pears|plums|quinces)/ })
    await sidebar(page)
      .getByRole('button', { name: `Show topics in ${channel}` })
      .click()
    const order = ['Fred Friend', 'Ben Best', 'Ada Able', 'plums', 'pears', 'figs']
    await expect.poll(async () => namesOf(rows)).toEqual(order)
    const before = await rows.nth(5).boundingBox()
    await sendDirect(others[0] ?? friend, owner, 'Again')
    await say(friend, channelId, 'quinces', 'Hard')
    await newRows(sidebar(page), 2).waitFor()
    await sidebar(page)
      .getByRole('link', { name: /^Ada Able.*2 unread messages/ })
      .waitFor()
    expect(await namesOf(rows)).toEqual(order)
    // A conversation that begins is visible at once, beside the title of its section.
    await sendDirect(await user('Nina New'), owner, 'Hello')
    const newest = sidebar(page).getByRole('link', { name: /^Nina New.*1 unread message/ })
    await newest.waitFor()
    const title = sidebar(page).getByRole('button', { name: 'Direct messages', exact: true })
    expect((await newest.boundingBox())?.y).toBeCloseTo((await title.boundingBox())?.y ?? Number.NaN, -1)
    expect(await rows.nth(5).boundingBox()).toEqual(before)
    expect(await accessibilityFaults(page)).toEqual([])
    await sidebar(page)
      .getByRole('button', { name: /^Show \d new$/ })
      .click()
    await expect.poll(async () => page.locator(':focus').innerText()).toMatch(/^Nina New/)
    await expect
      .poll(async () => namesOf(rows))
      .toEqual(['Ada Able', 'Fred Friend', 'Ben Best', 'quinces', 'plums', 'pears', 'figs'])
  })

  it('keeps the open conversation in the sidebar, in collapsed channels and sections too', async () => {
    const { owner, user, channel } = await teamWithTopics(['kiwis', 'limes', 'dates'])
    const stranger = await user('Carl Cold')
    const page = await visit(owner, '/recent')
    const topics = sidebar(page).getByRole('link', { name: /^(kiwis|limes|dates)/ })
    const toggle = sidebar(page).getByRole('button', { name: `Show topics in ${channel}` })
    const section = sidebar(page).getByRole('button', { name: 'Channels', exact: true })
    await toggle.click()
    await expect.poll(async () => topics.count()).toBe(3)
    await topics.last().click()
    await page.getByRole('heading', { name: /kiwis/, level: 1 }).waitFor()
    expect(await topics.count()).toBe(3)
    for (const collapse of [toggle, section]) {
      await collapse.click()
      await expect.poll(async () => namesOf(topics)).toEqual(['kiwis'])
      expect(await topics.getAttribute('aria-current')).toBe('page')
    }
    await section.click()
    await show(page, `/dm/${stranger.id}`)
    await sidebar(page)
      .getByRole('link', { name: /^Carl Cold/ })
      .and(page.locator('[aria-current=page]'))
      .waitFor()
  })

  it('keeps the order of a topic list from a touch until scrolling ends', async () => {
    const { owner, friend, channelId } = await teamWithTopics(['peas', 'beans'])
    const page = await visit(owner, `/c/${channelId}`, {
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      isMobile: true,
    })
    await page.mouse.move(-1, -1)
    const rows = main(page).getByRole('listitem').getByRole('link')
    await expect.poll(async () => namesOf(rows)).toEqual(['beans', 'peas'])
    const debug = await page.context().newCDPSession(page)
    const { x, y } = (await rows.first().boundingBox()) ?? { x: 0, y: 0 }
    const touchPoints = [{ x: x + 20, y: y + 10 }]
    await debug.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
    await say(friend, channelId, 'roots', 'Deep')
    await newRows(main(page), 1).waitFor()
    expect(await namesOf(rows)).toEqual(['beans', 'peas'])
    await debug.send('Input.dispatchTouchEvent', { type: 'touchCancel', touchPoints: [] })
    await expect.poll(async () => namesOf(rows)).toEqual(['roots', 'beans', 'peas'])
  })
})

describe.skipIf(!hasBrowser)('signs in lists', () => {
  it('counts unread messages in every list, with @ for a mention and a dot for a muted topic', async () => {
    const { owner, friend, channel, channelId } = await teamWithTopics(['kale', 'kale', 'leeks', 'leeks'])
    await say(friend, channelId, 'kale', '@**Olivia Owner** look')
    await owner.call('POST', '/user_topics', { stream_id: channelId, topic: 'leeks', visibility_policy: 1 })
    const page = await visit(owner, `/c/${channelId}`)
    const kale = (region: Locator) => region.getByRole('link', { name: /kale.* 3 unread messages, 1 mention/ })
    const leeks = (region: Locator) => region.getByRole('link', { name: /leeks.* 2 unread messages/ })
    await kale(main(page)).getByText('@ 3').waitFor()
    await leeks(main(page)).waitFor()
    expect(await leeks(main(page)).getByText('2', { exact: true }).count()).toBe(0)
    for (const name of [new RegExp(`^${channel}`), /^Inbox/])
      await sidebar(page).getByRole('link', { name }).getByText('@ 3').waitFor()
    await expect.poll(async () => page.title()).toMatch(/^\(3\) /)
    await show(page, '/recent')
    await kale(main(page)).getByText('@ 3').waitFor()
    await show(page, '/inbox')
    await kale(main(page)).getByText('@ 3').waitFor()
    await main(page).getByText('3 unread messages in 1 conversation').waitFor()
    await pressShortcut(page, 'Control+k')
    const option = page.getByRole('option', { name: /^kale/ }).first()
    await option.getByText('@ 3').waitFor()
    await page.keyboard.press('Escape')
  })

  it('aligns the names of views, people, groups, and channels, and shows whole names of a group', async () => {
    const { owner, friend, user, channel } = await teamWithTopics([])
    await sendDirect(friend, owner, 'Hello')
    const [max, thea] = [await user('Maximilian Oberhuber'), await user('Theodora Papadopoulos')]
    await owner.call('POST', '/messages', { type: 'direct', to: [friend.id, max.id, thea.id], content: 'We four' })
    const page = await visit(owner)
    const startOf = async (name: string) =>
      (await sidebar(page).getByText(name, { exact: true }).first().boundingBox())?.x ?? Number.NaN
    const start = await startOf('Recent')
    for (const name of ['Fred Friend', 'Fred and 2 others', channel, 'All channels'])
      expect(await startOf(name)).toBeCloseTo(start, 0)
    await sidebar(page)
      .getByRole('link', { name: 'Fred Friend, Maximilian Oberhuber, and Theodora Papadopoulos' })
      .click()
    await page.getByRole('heading', { name: 'Fred Friend, Maximilian Oberhuber, and Theodora Papadopoulos' }).waitFor()
  })

  it('shows a bell for a followed topic, and a crossed-out bell for a muted topic, with accessible names', async () => {
    const { owner, channelId } = await teamWithTopics(['mint', 'nettles'])
    for (const [topic, visibility_policy] of [
      ['mint', 3],
      ['nettles', 1],
    ] as const)
      await owner.call('POST', '/user_topics', { stream_id: channelId, topic, visibility_policy })
    const page = await visit(owner, `/c/${channelId}`)
    await main(page)
      .getByRole('link', { name: /mint\s*, followed/ })
      .waitFor()
    await main(page)
      .getByRole('link', { name: /nettles\s*, muted/ })
      .waitFor()
    await show(page, `/c/${channelId}/t/nettles`)
    await page.getByRole('heading', { level: 1, name: /nettles\s*, muted/ }).waitFor()
    await show(page, `/c/${channelId}/t/mint`)
    await page.getByRole('heading', { level: 1, name: /mint$/ }).waitFor()
    const follow = page.getByRole('button', { name: 'Unfollow topic' })
    expect(await follow.getAttribute('aria-pressed')).toBe('true')
    await follow.click()
    await page.getByRole('button', { name: 'Follow topic', exact: true }).waitFor()
  })
})
