import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { accessibilityFaults, addressOf, hasBrowser, pressShortcut } from './browser.ts'
import { useTeam } from './shared.ts'
import { composer, say, type Team } from './team.ts'

const { makeTeam, openPage } = useTeam()

const team = () => makeTeam()
const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Conversations' })
const mainNavigation = (page: Page) => page.getByRole('navigation', { name: 'Main navigation' })
const section = (page: Page, name: string) => sidebar(page).getByRole('region', { name })
const PHONE = { viewport: { width: 320, height: 640 } }

async function focusedText(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.textContent?.trim() ?? '')
}

async function subscribe({ owner }: Team, names: readonly string[]): Promise<void> {
  await owner.call('POST', '/users/me/subscriptions', { subscriptions: names.map((name) => ({ name })) })
}

async function fetchChannelId({ owner }: Team, name: string): Promise<number> {
  return (await owner.call('GET', '/get_stream_id', { stream: name }))['stream_id']
}

describe.skipIf(!hasBrowser)('sidebar', () => {
  it('expands a channel to unread and followed topics, and collapses it by keyboard', async () => {
    const all = await team()
    const { owner, friend, channelId } = all
    for (const topic of ['carrots', 'peas', 'beans']) await say(friend, channelId, topic, 'Long ago')
    await owner.call('POST', '/mark_all_as_read')
    await owner.call('POST', '/user_topics', { stream_id: channelId, topic: 'peas', visibility_policy: 3 })
    await say(friend, channelId, 'turnips', 'New here')
    const page = await openPage(owner)
    const channel = sidebar(page).getByRole('link', { name: /^garden/ })
    await channel.focus()
    await page.keyboard.press('ArrowRight')
    const names = async (): Promise<string[]> => section(page, 'Channels').getByRole('link').allInnerTexts()
    await expect
      .poll(async () => (await names()).map((name) => name.split('\n')[0]))
      .toEqual(['garden', 'turnips', 'peas', 'beans', 'carrots', 'All topics'])
    await page.keyboard.press('ArrowDown')
    expect(await focusedText(page)).toMatch(/^turnips/)
    await page.keyboard.press('ArrowLeft')
    expect(await focusedText(page)).toMatch(/^garden/)
    await page.keyboard.press('ArrowLeft')
    await expect.poll(async () => (await names()).length).toBe(1)
    await page.keyboard.press('ArrowLeft')
    expect(await focusedText(page)).toBe('Channels')
    await page.keyboard.press('ArrowLeft')
    await channel.waitFor({ state: 'hidden' })
    const waitUntilStored = async (): Promise<boolean> =>
      JSON.stringify(await owner.call('GET', '/preferences')).includes('sidebar')
    await expect.poll(waitUntilStored).toBe(true)
    await page.reload()
    await section(page, 'Channels').getByRole('button', { name: 'Channels', expanded: false }).waitFor()
  })

  it('moves through the sidebar by arrows, Home, End, and letters, with one Tab stop', async () => {
    const all = await team()
    await subscribe(all, ['attic', 'cellar'])
    const page = await openPage(all.owner)
    await sidebar(page).getByRole('link', { name: 'All channels' }).waitFor()
    await page.keyboard.press('q')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Filter conversations')
    await page.keyboard.press('Tab')
    expect(await focusedText(page)).toMatch(/^Inbox/)
    await page.keyboard.press('ArrowDown')
    expect(await focusedText(page)).toBe('Recent')
    await page.keyboard.press('End')
    expect(await focusedText(page)).toBe('Invite people')
    await page.keyboard.press('Home')
    expect(await focusedText(page)).toBe('Views')
    await page.keyboard.press('c')
    await page.keyboard.press('e')
    expect(await focusedText(page)).toMatch(/^cellar/)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'cellar', level: 1 }).waitFor()
    // Outside the sidebar and the composer, letters are shortcuts again.
    await page.keyboard.press('Escape')
    await page.keyboard.press('i')
    await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor()
  })

  it('filters views, people, channels, and topics of the sidebar in one field', async () => {
    const all = await team()
    await say(all.friend, all.channelId, 'sweet peas', 'Unread')
    await say(all.friend, all.channelId, 'Caf\u00e9', 'Unread')
    await all.friend.call('POST', '/messages', { type: 'direct', to: [all.owner.id], content: 'Only you' })
    const page = await openPage(all.owner)
    await sidebar(page)
      .getByRole('link', { name: /^garden/ })
      .waitFor()
    await page.keyboard.press('q')
    const found = () => sidebar(page).getByRole('link').allInnerTexts()
    await page.keyboard.type('fred')
    await expect.poll(async () => (await found()).map((text) => text.split('\n')[0])).toEqual(['Fred Friend'])
    await page.keyboard.press('Escape')
    await page.keyboard.type('STAR')
    await expect.poll(found).toEqual(['Starred'])
    await page.keyboard.press('Escape')
    // The accented letter is decomposed here, but composed in the topic's name.
    await page.keyboard.type('cafe\u0301')
    await sidebar(page)
      .getByRole('link', { name: /^Caf\u00e9/ })
      .waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.type('no such thing')
    await sidebar(page).getByText('No matches').waitFor()
    await sidebar(page).getByRole('button', { name: 'Search everything for “no such thing”' }).waitFor()
    await page.keyboard.press('Enter')
    const palette = page.getByRole('combobox', { name: /^Go to/ })
    await expect.poll(async () => palette.inputValue()).toBe('no such thing')
    await page.keyboard.press('Escape')
    await palette.waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await page.keyboard.type('sweet')
    await sidebar(page)
      .getByRole('link', { name: /^sweet peas/ })
      .waitFor()
    await page.keyboard.press('ArrowDown')
    await expect.poll(async () => focusedText(page)).toMatch(/^garden/)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /sweet peas/, level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await palette.press('Escape')
    await palette.waitFor({ state: 'detached' })
    expect(await sidebar(page).getByRole('searchbox').inputValue()).toBe('sweet')
    await page.keyboard.press('Control+k')
    await palette.fill('inbox')
    await page.getByRole('option', { name: /inbox/i, selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => sidebar(page).getByRole('searchbox').inputValue()).toBe('')
    await sidebar(page)
      .getByRole('link', { name: /^Inbox/ })
      .waitFor()
  })

  it('lists muted channels last, with a dot for unread messages', async () => {
    const all = await team()
    await subscribe(all, ['noise'])
    const noise = await fetchChannelId(all, 'noise')
    await all.friend.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'noise' }] })
    await all.owner.call('PATCH', `/users/me/subscriptions/${noise}`, { property: 'is_muted', value: true })
    await say(all.friend, noise, 'static', 'Shh')
    const page = await openPage(all.owner)
    const link = sidebar(page).getByRole('link', { name: /^noise/ })
    const more = section(page, 'Channels').getByRole('button', { name: '+2 more' })
    await link.waitFor()
    // A single hidden channel would save no room.
    expect(await section(page, 'Channels').getByRole('link').last().textContent()).toMatch(/^noise/)
    await subscribe(all, ['traffic'])
    const traffic = await fetchChannelId(all, 'traffic')
    await all.owner.call('PATCH', `/users/me/subscriptions/${traffic}`, { property: 'is_muted', value: true })
    await more.waitFor()
    expect(await link.count()).toBe(0)
    await more.click()
    await sidebar(page)
      .getByRole('link', { name: /^noise ?, muted ?1 unread message/ })
      .waitFor()
    await section(page, 'Channels').getByRole('button', { name: 'Show fewer' }).click()
  })

  it("keeps the sidebar's bottom buttons in place when a topic is opened or left", async () => {
    const all = await team()
    await subscribe(all, ['zebra'])
    for (let topic = 0; topic < 8; topic += 1) await say(all.friend, all.channelId, `topic ${topic}`, 'Hello')
    const page = await openPage(all.owner, '/', { viewport: { width: 1280, height: 1000 } })
    const [zebra, invite] = [
      sidebar(page).getByRole('link', { name: 'zebra' }),
      sidebar(page).getByRole('button', { name: 'Invite people' }),
    ]
    const topOf = async (row: Locator) => Math.round((await row.boundingBox())?.y ?? Number.NaN)
    await zebra.waitFor()
    const [low, closed] = [await topOf(invite), await topOf(zebra)]
    await page
      .getByRole('main')
      .getByRole('link', { name: /topic 3/ })
      .first()
      .click()
    await sidebar(page)
      .getByRole('link', { name: /^topic 3/ })
      .waitFor()
    const opened = await topOf(zebra)
    expect([await topOf(invite), opened > closed]).toEqual([low, true])
    await zebra.click()
    await page.getByRole('heading', { name: 'zebra', level: 1 }).waitFor()
    expect(await topOf(zebra)).toBe(opened)
    await page.getByRole('main').hover()
    await expect.poll(async () => topOf(zebra)).toBe(closed)
    expect(await topOf(invite)).toBe(low)
    await page.setViewportSize({ width: 1280, height: 500 })
    await sidebar(page).getByRole('button', { name: 'Views', exact: true }).focus()
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    const [row, end] = [
      await page.locator(':focus').boundingBox(),
      await sidebar(page).getByRole('link', { name: 'All channels' }).boundingBox(),
    ]
    expect((row?.y ?? 0) + (row?.height ?? 0)).toBeLessThanOrEqual(end?.y ?? 0)
  })

  it('groups the channels of the sidebar by folder, with pinned channels first', async () => {
    const all = await team()
    await subscribe(all, ['attic', 'cellar'])
    const { channel_folder_id } = await all.owner.call('POST', '/channel_folders/create', {
      name: 'House',
      description: '',
    })
    const [attic, cellar] = [await fetchChannelId(all, 'attic'), await fetchChannelId(all, 'cellar')]
    await all.owner.call('PATCH', `/streams/${attic}`, { folder_id: channel_folder_id })
    await all.owner.call('PATCH', `/users/me/subscriptions/${cellar}`, { property: 'pin_to_top', value: true })
    const page = await openPage(all.owner)
    await section(page, 'Pinned').getByRole('link', { name: 'cellar' }).waitFor()
    await section(page, 'House').getByRole('link', { name: 'attic' }).waitFor()
    await section(page, 'Channels').getByRole('link', { name: 'garden' }).waitFor()
    expect(await section(page, 'Channels').getByRole('link').count()).toBe(1)
    await all.owner.call('PATCH', `/streams/${attic}`, { folder_id: null })
    await section(page, 'Channels').getByRole('link', { name: 'attic' }).waitFor()
  })

  it('shows the chosen views in the sidebar in the chosen order', async () => {
    const { owner } = await team()
    const page = await openPage(owner)
    const names = () => section(page, 'Views').getByRole('link').allInnerTexts()
    const usual = ['Inbox', 'Recent', 'Mentions', 'Starred', 'Drafts']
    await expect.poll(names).toEqual(usual)
    await section(page, 'Views').getByRole('button', { name: 'Edit views' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit views' })
    await dialog.getByRole('checkbox', { name: 'Starred' }).uncheck()
    await expect.poll(names).toEqual(usual.filter((name) => name !== 'Starred'))
    await dialog.getByRole('button', { name: 'Move Drafts up' }).click()
    await dialog.getByRole('button', { name: 'Move Drafts up' }).click()
    await dialog.getByRole('button', { name: 'Move Drafts up' }).click()
    await dialog.getByRole('checkbox', { name: 'Files' }).check()
    await expect.poll(names).toEqual(['Inbox', 'Recent', 'Drafts', 'Mentions', 'Files'])
    await page.keyboard.press('Escape')
    await section(page, 'Views').getByRole('button', { name: '+5 more' }).click()
    await expect.poll(names).toContain('Starred')
  })

  it('pins a channel from its menu', async () => {
    const all = await team()
    const page = await openPage(all.owner)
    await sidebar(page).getByRole('link', { name: 'garden' }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Pin' }).click()
    await section(page, 'Pinned').getByRole('link', { name: 'garden' }).waitFor()
    expect(await section(page, 'Channels').count()).toBe(0)
  })
})

describe.skipIf(!hasBrowser)('sidebar width', () => {
  it('resizes the sidebar by its edge, and keeps the width at the next start without layout shifts', async () => {
    const { owner } = await team()
    const page = await openPage(owner)
    const edge = sidebar(page).getByRole('separator', { name: 'Sidebar width' })
    const width = async () => Math.round((await sidebar(page).boundingBox())?.width ?? 0)
    await edge.focus()
    await page.keyboard.press('ArrowRight')
    expect([await edge.getAttribute('aria-valuenow'), await width()]).toEqual(['105', 294])
    await page.keyboard.press('Home')
    expect(await width()).toBe(196)
    await page.keyboard.press('End')
    expect(await width()).toBe(476)
    await edge.dblclick({ position: { x: 4, y: 300 } })
    expect(await width()).toBe(280)
    const { x = 0 } = (await edge.boundingBox()) ?? {}
    await page.mouse.move(x + 4, 300)
    await page.mouse.down()
    await page.mouse.move(x + 74, 320, { steps: 3 })
    await page.mouse.up()
    expect([await edge.getAttribute('aria-valuenow'), await width()]).toEqual(['125', 350])
    await page.reload()
    await edge.waitFor()
    expect(await width()).toBe(350)
    expect(await movedRegions(page)).toEqual([])
    // A menu offers the same to people who cannot drag.
    await page.goto(addressOf(owner, '/settings/views'))
    await page.getByRole('combobox', { name: 'Sidebar width' }).selectOption('70%')
    await expect.poll(width).toBe(196)
  })

  it('collapses the sidebar to a strip with the unread total, and keeps it collapsed at the next start', async () => {
    const { owner, friend, channelId } = await team()
    await say(friend, channelId, 'beans', 'Unread')
    const page = await openPage(owner)
    const toggle = sidebar(page).getByRole('button', { name: 'Show or hide sidebar' })
    const channel = sidebar(page).getByRole('link', { name: /^garden/ })
    const width = async () => (await sidebar(page).boundingBox())?.width ?? 0
    await channel.waitFor()
    await toggle.click()
    await channel.waitFor({ state: 'hidden' })
    expect(await width()).toBeLessThan(60)
    expect(await toggle.evaluate((button) => button === document.activeElement)).toBe(true)
    await sidebar(page).getByRole('link', { name: 'Inbox 1 unread message' }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.reload()
    await toggle.and(page.locator('[aria-expanded=false]')).waitFor()
    expect(await movedRegions(page)).toEqual([])
    await pressShortcut(page, '[')
    await channel.waitFor()
    await channel.focus()
    await pressShortcut(page, '[')
    await channel.waitFor({ state: 'hidden' })
    expect(await toggle.evaluate((button) => button === document.activeElement)).toBe(true)
    await pressShortcut(page, 'q')
    await page.keyboard.type('gard')
    await channel.waitFor()
    // Phones have no strip.
    await toggle.click()
    await page.setViewportSize(PHONE.viewport)
    await mainNavigation(page).getByRole('button', { name: 'Channels' }).click()
    await channel.waitFor()
    expect([await width(), await toggle.isVisible()]).toEqual([320, false])
  })
})

/** Returns the regions of the page that have moved since it began to load. */
async function movedRegions(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const shifts = await new Promise<readonly PerformanceEntry[]>((resolve) => {
      new PerformanceObserver((list) => resolve(list.getEntries())).observe({ type: 'layout-shift', buffered: true })
      setTimeout(() => resolve([]), 500)
    })
    // Safe: entries of this type have sources, which the types of the DOM lack.
    const sources = (shifts as (PerformanceEntry & { sources: { node: Node | null }[] })[]).flatMap(
      (one) => one.sources,
    )
    return sources.flatMap(({ node }) =>
      node instanceof HTMLElement && node.matches('.frame > *') ? node.className : [],
    )
  })
}

describe.skipIf(!hasBrowser)('page layout', () => {
  it('shows one region at a time on a phone, and switches between regions with a bar', async () => {
    const { owner, friend } = await team()
    await friend.call('POST', '/messages', { type: 'direct', to: [owner.id], content: 'Only you' })
    const page = await openPage(owner, '/inbox', PHONE)
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    expect(await sidebar(page).isVisible()).toBe(false)
    await mainNavigation(page).getByRole('button', { name: 'Channels' }).click()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor({ state: 'hidden' })
    await expect.poll(() => sidebar(page).getByRole('link').first().textContent()).toBe('garden')
    expect(await sidebar(page).getByRole('link', { name: /Fred/ }).count()).toBe(0)
    await mainNavigation(page).getByRole('button', { name: /^DMs/ }).click()
    await sidebar(page)
      .getByRole('link', { name: /^Fred Friend/ })
      .click()
    await composer(page).waitFor()
    expect(await sidebar(page).isVisible()).toBe(false)
    // The bar is hidden while the composer has the focus.
    await composer(page).focus()
    await mainNavigation(page).waitFor({ state: 'hidden' })
    await page.keyboard.press('Tab')
    await mainNavigation(page)
      .getByRole('link', { name: /^Inbox/ })
      .click()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  })

  it.each([
    { width: 320, placement: 'instead of', view: 0, close: 'Escape' },
    { width: 768, placement: 'over', view: 488, close: 'Escape' },
    { width: 1440, placement: 'next to', view: 856, close: ']' },
  ])('shows the details panel $placement the view at $width px', async ({ width, view, close }) => {
    const { owner } = await team()
    const page = await openPage(owner, '/inbox', { viewport: { width, height: 800 } })
    const panel = page.getByRole('complementary', { name: 'Details' })
    await page.getByRole('main').getByRole('button', { name: 'Details' }).click()
    await panel.getByRole('button', { name: /Fred Friend/ }).waitFor()
    const widthOf = (): Promise<number> =>
      page.evaluate(() => document.querySelector('main')?.getBoundingClientRect().width ?? 0)
    expect(Math.abs((await widthOf()) - view)).toBeLessThan(20)
    await page.keyboard.press(close)
    await panel.waitFor({ state: 'hidden' })
    await page.keyboard.press(']')
    await panel.getByRole('button', { name: 'Close' }).click()
    await panel.waitFor({ state: 'hidden' })
  })

  it('skips to the content by keyboard', async () => {
    const { owner } = await team()
    const page = await openPage(owner)
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.keyboard.press('Tab')
    expect(await focusedText(page)).toBe('Skip to content')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main')
  })
})
