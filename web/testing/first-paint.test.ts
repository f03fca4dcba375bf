import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { useTestServer } from '../../server/src/testing/server.ts'
import { hasBrowser, LOCAL_DOMAIN, openAs, useBrowser } from './browser.ts'
import { list, say, teamOn } from './team.ts'

const server = useTestServer(LOCAL_DOMAIN)
const browser = useBrowser()

/** As many lines as fill a window of 800 pixels, however low they are. */
const MESSAGES = 70
const CHANNELS = 45
/** More than a window of that height has room for, and no more than are read at once. */
const READ_AT_ONCE = 60

/** How much of a list and of the sidebar the rows leave empty that are drawn, at both of their ends; and how many rows there are. */
async function emptyPixels(page: Page): Promise<Record<'above' | 'below' | 'sidebar' | 'rows', number>> {
  return page.evaluate(() => {
    const boxOf = (element: Element | null | undefined): DOMRect => element?.getBoundingClientRect() ?? new DOMRect()
    const rows = [...document.querySelectorAll('[data-row]')]
    const room = boxOf(document.querySelector('.list'))
    const links = [...document.querySelectorAll('.sidebar [data-branch] li')]
    return {
      above: Math.max(0, boxOf(rows[0]).top - room.top),
      below: Math.max(0, room.bottom - boxOf(document.querySelector('.list-rows')).bottom),
      sidebar: Math.max(0, window.innerHeight - boxOf(links.at(-1)).bottom),
      rows: rows.length,
    }
  })
}

describe.skipIf(!hasBrowser)('what is drawn with the first paint', () => {
  it.each([
    ['by one author, all read', 'friend', true],
    ['by one author, unread from the middle on', 'friend', false],
    ['by two in turn, all read', 'both', true],
    ['by two in turn, unread from the middle on', 'both', false],
  ] as const)('fills the window, however low rows are, with messages %s', async (_name, writers, isAllRead) => {
    const { owner, friend, channelId } = await teamOn(server())
    for (let number = 0; number < CHANNELS; number += 1)
      await owner.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: `channel ${number}` }] })
    const ids: number[] = []
    for (let number = 0; number < MESSAGES; number += 1) {
      const from = writers === 'both' && number % 2 === 1 ? owner : friend
      ids.push(await say(from, channelId, 'beans', `Row ${number}`))
    }
    const read = isAllRead ? ids : ids.slice(0, MESSAGES / 2)
    await owner.call('POST', '/messages/flags', { messages: read, op: 'add', flag: 'read' })
    await owner.call('PATCH', '/settings', { web_font_size_px: 12, web_line_height_percent: 122 })
    await owner.call('PATCH', '/preferences', { preferences: { 'web.density': JSON.stringify('compact') } })
    const page = await openAs(browser(), owner, '/settings')
    // What comes once the first rows have been painted never does.
    await page.addInitScript(() => Object.assign(globalThis, { requestIdleCallback: () => 0 }))
    await page.goto(new URL(`/c/${channelId}/t/beans`, page.url()).href)
    await list(page).getByRole('article').first().waitFor()
    const { rows, ...empty } = await emptyPixels(page)
    expect(empty).toEqual({ above: 0, below: 0, sidebar: 0 })
    expect(rows).toBeLessThan(MESSAGES)
  })

  it('is followed by what is out of view when one no longer presses', async () => {
    const page = await openWith('click')
    // In twice the time after which one counts as resting.
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
    expect(Math.max(...counts)).toBeLessThan(READ_AT_ONCE)
    await page.evaluate(() => dispatchEvent(new Event('rest')))
    await expect.poll(async () => (await emptyPixels(page)).rows).toBe(READ_AT_ONCE)
  })

  it('is followed by what is out of view when one scrolls', async () => {
    const page = await openWith('wheel')
    await expect.poll(async () => (await emptyPixels(page)).rows).toBe(READ_AT_ONCE)
  })
})

/**
 * Opens a conversation while the page gets a press every tenth of a second. An event of the type `next` follows each press. Both end
 * when the page gets the event `rest`.
 */
async function openWith(next: string): Promise<Page> {
  const { owner, friend, channelId } = await teamOn(server())
  for (let number = 0; number < READ_AT_ONCE; number += 1) await say(friend, channelId, 'beans', `Row ${number}`)
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
