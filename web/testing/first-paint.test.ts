import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { useTestServer } from '../../server/src/testing/server.ts'
import { hasBrowser, LOCAL_DOMAIN, openAs, useBrowser } from './browser.ts'
import { list, say, createTeamOn } from './team.ts'

const server = useTestServer(LOCAL_DOMAIN)
const browser = useBrowser()

/** Enough rows to fill a window 800 pixels high at the lowest row height. */
const MESSAGE_COUNT = 70
const CHANNEL_COUNT = 45
/** More messages than fit into a window 800 pixels high, but no more than one request returns. */
const SINGLE_READ_COUNT = 60

/** Measures the whole pixels that rendered rows leave empty above, below, and in the sidebar, and counts the rows. */
async function measureEmptyPixels(page: Page): Promise<Record<'above' | 'below' | 'sidebar' | 'rows', number>> {
  return page.evaluate(() => {
    const boxOf = (element: Element | null | undefined): DOMRect => element?.getBoundingClientRect() ?? new DOMRect()
    const rows = [...document.querySelectorAll('[data-row]')]
    const room = boxOf(document.querySelector('.list'))
    const links = [...document.querySelectorAll('.sidebar [data-branch] li')]
    return {
      above: Math.max(0, boxOf(rows[0]).top - room.top),
      below: Math.floor(Math.max(0, room.bottom - boxOf(document.querySelector('.list-rows')).bottom)),
      sidebar: Math.max(0, window.innerHeight - boxOf(links.at(-1)).bottom),
      rows: rows.length,
    }
  })
}

async function countVisibleRows(page: Page): Promise<number> {
  return page.evaluate(() => {
    const room = document.querySelector('.list')?.getBoundingClientRect()
    const boxes = [...document.querySelectorAll('[data-row]')].map((row) => row.getBoundingClientRect())
    return boxes.filter(({ top, bottom }) => room !== undefined && top >= room.top && bottom <= room.bottom).length
  })
}

describe.skipIf(!hasBrowser)('first paint', () => {
  it.each([
    ['by one author, all read', 'friend', true],
    ['by one author, unread from the middle on', 'friend', false],
    ['by two authors in turn, all read', 'both', true],
    ['by two authors in turn, unread from the middle on', 'both', false],
  ] as const)('fills the window at the minimum row height, with messages %s', async (_name, writers, isAllRead) => {
    const { owner, friend, channelId } = await createTeamOn(server())
    for (let number = 0; number < CHANNEL_COUNT; number += 1)
      await owner.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: `channel ${number}` }] })
    const ids: number[] = []
    for (let number = 0; number < MESSAGE_COUNT; number += 1) {
      const from = writers === 'both' && number % 2 === 1 ? owner : friend
      ids.push(await say(from, channelId, 'beans', `Row ${number}`))
    }
    const read = isAllRead ? ids : ids.slice(0, MESSAGE_COUNT / 2)
    await owner.call('POST', '/messages/flags', { messages: read, op: 'add', flag: 'read' })
    await owner.call('PATCH', '/settings', { web_font_size_px: 12, web_line_height_percent: 122 })
    await owner.call('PATCH', '/preferences', { preferences: { 'web.density': JSON.stringify('compact') } })
    const page = await openAs(browser(), owner, '/settings')
    // Prevents all work that waits for the first paint.
    await page.addInitScript(() => Object.assign(globalThis, { requestIdleCallback: () => 0 }))
    await page.goto(new URL(`/c/${channelId}/t/beans`, page.url()).href)
    await list(page).getByRole('article').first().waitFor()
    const { rows, ...empty } = await measureEmptyPixels(page)
    expect(empty).toEqual({ above: 0, below: 0, sidebar: 0 })
    expect(rows).toBeLessThan(MESSAGE_COUNT)
  })

  it.each([
    { density: 'comfortable', least: 13 },
    { density: 'compact', least: 20 },
  ])('shows at least $least messages of one line at 1440×900 in $density density', async ({ density, least }) => {
    const { owner, friend, channelId } = await createTeamOn(server())
    for (let number = 0; number < 2 * least; number += 1)
      await say(number % 2 === 1 ? owner : friend, channelId, 'beans', `Row ${number}`)
    await owner.call('POST', '/mark_all_as_read')
    await owner.call('PATCH', '/preferences', { preferences: { 'web.density': JSON.stringify(density) } })
    const page = await openAs(browser(), owner, `/c/${channelId}/t/beans`, { viewport: { width: 1440, height: 900 } })
    await list(page)
      .getByText(`Row ${2 * least - 1}`, { exact: true })
      .waitFor()
    await expect.poll(async () => countVisibleRows(page)).toBeGreaterThanOrEqual(least)
  })

  it('aligns names and texts in compact density, and puts the text below the name on a phone', async () => {
    const { owner, friend, user, channelId } = await createTeamOn(server())
    const guest = await user('Maximiliane Wolfeschlegelsteinhausenbergerdorff')
    await guest.subscribe(['garden'])
    await say(guest, channelId, 'beans', 'Long name')
    await say(friend, channelId, 'beans', 'Full width')
    await owner.call('PATCH', '/preferences', { preferences: { 'web.density': JSON.stringify('compact') } })
    const page = await openAs(browser(), owner, `/c/${channelId}/t/beans`, { viewport: { width: 320, height: 640 } })
    const message = list(page).getByRole('article').filter({ hasText: 'Full width' })
    const name = await message.getByRole('button', { name: 'Fred Friend' }).last().boundingBox()
    const text = await message.getByText('Full width').boundingBox()
    expect(text?.x).toBe(name?.x)
    expect(text?.y).toBeGreaterThan(name?.y ?? Infinity)
    await page.setViewportSize({ width: 1440, height: 900 })
    const rows = await list(page)
      .getByRole('article')
      .evaluateAll((all) =>
        all.map((row) => {
          const [head, content] = ['.message-head', '.content'].map((part) => row.querySelector(part))
          const [names, texts] = [head?.getBoundingClientRect(), content?.getBoundingClientRect()]
          return { name: names?.left, text: texts?.left, isBeside: (names?.right ?? Infinity) < (texts?.left ?? 0) }
        }),
      )
    expect(rows).toHaveLength(2)
    expect(new Set(rows.map(({ name: left }) => left)).size).toBe(1)
    expect(new Set(rows.map(({ text: left }) => left)).size).toBe(1)
    expect(rows.every(({ isBeside }) => isBeside)).toBe(true)
  })

  it('renders rows outside the viewport only after the person stops clicking', async () => {
    const page = await openWithRepeatedEvents('click')
    // Ten clicks take twice as long as a page without clicks needs to count as idle.
    const counts = await page.evaluate(async (presses) => {
      const seen: number[] = []
      for (let press = 0; press < presses; press += 1) {
        await new Promise((resolve) => {
          addEventListener('click', resolve, { once: true })
        })
        seen.push(document.querySelectorAll('[data-row]').length)
      }
      return seen
    }, 10)
    expect(Math.max(...counts)).toBeLessThan(SINGLE_READ_COUNT)
    await page.evaluate(() => dispatchEvent(new Event('rest')))
    await expect.poll(async () => (await measureEmptyPixels(page)).rows).toBe(SINGLE_READ_COUNT)
  })

  it('renders rows outside the viewport when the person scrolls', async () => {
    const page = await openWithRepeatedEvents('wheel')
    await expect.poll(async () => (await measureEmptyPixels(page)).rows).toBe(SINGLE_READ_COUNT)
  })
})

/** Opens a conversation in a page that gets a click and a `next` event every 100 ms, until a `rest` event. */
async function openWithRepeatedEvents(next: string): Promise<Page> {
  const { owner, friend, channelId } = await createTeamOn(server())
  for (let number = 0; number < SINGLE_READ_COUNT; number += 1) await say(friend, channelId, 'beans', `Row ${number}`)
  const page = await openAs(browser(), owner, '/settings')
  await page.addInitScript((type) => {
    const pressing = setInterval(() => {
      dispatchEvent(new Event('click'))
      dispatchEvent(new Event(type))
    }, 100)
    addEventListener('rest', () => clearInterval(pressing))
  }, next)
  await page.goto(new URL(`/c/${channelId}/t/beans`, page.url()).href)
  await list(page).getByRole('article').first().waitFor()
  return page
}
