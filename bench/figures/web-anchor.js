import { formatNumber } from '../figure.js'
import { createApi } from '../generate/organization.js'
import { withWindow } from '../parts/browser.js'
import { uploadPicture } from '../parts/picture.js'
import { withWeb } from '../parts/web.js'

/** @import { Page } from '../parts/browser.js' @import { Api } from '../generate/organization.js' */

const MESSAGES = 600
const ROUNDS = 6
const MAX_WAIT_FRAMES = 120
/** Scroll position, in screens from the first message, at which the client loads older messages. */
const LOAD_OLDER_AT_SCREENS = 1.4
const MULTILINE_TEXT = Array.from({ length: 8 }, (_, line) => `line ${line}`).join('\n')

/** @type {import('../figure.js').Figure} */
export const webAnchor = {
  id: 'web-anchor',
  name: 'movement of the message being read while messages above it load, are edited, and get pictures and reactions',
  unit: 'px',
  goal: { atMost: 1 },
  async measure() {
    return withWeb(async ({ browser, url, landmarks, signIn }) =>
      withWindow(browser, async (context) => {
        const [writer] = landmarks.others
        if (writer === undefined) throw new Error('somebody else writes')
        const api = createApi(url, writer.email, writer.key)
        const ids = []
        for (let index = 0; index < MESSAGES; index += 1) {
          const content = `Message ${index}\n`.repeat(1 + (index % 3))
          const sent = await api('POST', '/messages', {
            type: 'direct',
            to: JSON.stringify([landmarks.active.id]),
            content,
          })
          ids.push(Number(sent['id']))
        }
        const picture = await uploadPicture(url, writer)
        await signIn(context)
        const page = await context.newPage()
        await page.goto(`${url}/dm/${writer.id}?near=${ids[MESSAGES - 60] ?? 0}`)
        await page.locator(`[data-row="${ids[MESSAGES - 60] ?? 0}"]`).waitFor()
        await recordShifts(page)
        /** Largest shift in pixels, by cause. @type {Record<string, number>} */
        const moved = {}
        for (let round = 0; round < ROUNDS; round += 1) {
          for (const [name, happen] of Object.entries(createChangesAbove(api, picture, round))) {
            moved[name] = Math.max(moved[name] ?? 0, await measureShift(page, happen))
          }
        }
        const shifts = await page.evaluate(
          () => /** @type {{ shifts: number }} */ (/** @type {unknown} */ (globalThis)).shifts,
        )
        return {
          value: Math.max(...Object.values(moved)),
          notes: [
            `layout shifts counted by the browser: ${formatNumber(shifts)}, including those corrected before the paint`,
            Object.entries(moved)
              .map(([name, pixels]) => `${name} ${formatNumber(pixels)} px`)
              .join(', '),
          ],
        }
      }),
    )
  },
}

/**
 * Functions that change something above the reader's message, and resolve when the page shows the change.
 * @param {Api} api @param {string} picture @param {number} round
 * @returns {Record<string, (page: Page) => Promise<void>>}
 */
function createChangesAbove(api, picture, round) {
  /** @param {string} name @param {(id: number) => Promise<unknown>} act */
  const above = (name, act) => async (/** @type {Page} */ page) => {
    const id = await findRowAbove(page, round)
    await act(id)
    await page.locator(`[data-row="${id}"] ${name}`).first().waitFor({ state: 'attached' })
  }
  return {
    'messages read in': waitForOlderMessages,
    edit: above(`:text("line 7 of ${round}")`, async (id) =>
      api('PATCH', `/messages/${id}`, { content: `${MULTILINE_TEXT} of ${round}` }),
    ),
    picture: above('img:not(.avatar)', async (id) => api('PATCH', `/messages/${id}`, { content: `Look: ${picture}` })),
    reaction: above('.reaction', async (id) => api('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })),
  }
}

/** Waits until the client has loaded older messages, if any exist. @param {Page} page */
async function waitForOlderMessages(page) {
  await page.evaluate(async (frames) => {
    const first = () => document.querySelector('[data-row]')?.getAttribute('data-row')
    const before = first()
    for (let frame = 0; frame < frames && first() === before; frame += 1) {
      await clock.frame()
    }
  }, MAX_WAIT_FRAMES)
}

/** Picks a message above the visible part of the list. @param {Page} page @param {number} which */
async function findRowAbove(page, which) {
  return page.evaluate((index) => {
    const edge = document.querySelector('.list')?.getBoundingClientRect().top ?? 0
    const above = [...document.querySelectorAll('[data-row]')].filter(
      (row) => row.getBoundingClientRect().bottom < edge,
    )
    return Number(above.at(-2 - index * 2)?.getAttribute('data-row'))
  }, which)
}

/**
 * Measures the largest shift, in pixels, of the first fully visible message in any frame painted during a change.
 * @param {Page} page @param {(page: Page) => Promise<void>} makeChange
 */
async function measureShift(page, makeChange) {
  await page.evaluate(
    async (share) => {
      const list = document.querySelector('.list')
      if (list === null) throw new Error('no list found')
      if (share !== undefined) list.scrollTop = list.clientHeight * share
      for (let frame = 0; frame < 2; frame += 1) await clock.frame()
      const { top } = list.getBoundingClientRect()
      const row = [...document.querySelectorAll('[data-row]')].find((one) => one.getBoundingClientRect().top >= top)
      if (row === undefined) throw new Error('no message found')
      const begin = row.getBoundingClientRect().top
      const watched = { moved: 0, ends: false }
      Object.assign(globalThis, { watched })
      const frame = () => {
        if (watched.ends) return
        // A new observer reports the row's final position in this frame.
        const observer = new IntersectionObserver(([entry]) => {
          watched.moved = Math.max(watched.moved, Math.abs((entry?.boundingClientRect.top ?? Infinity) - begin))
          observer.disconnect()
        })
        observer.observe(row)
        requestAnimationFrame(frame)
      }
      requestAnimationFrame(frame)
    },
    makeChange === waitForOlderMessages ? LOAD_OLDER_AT_SCREENS : undefined,
  )
  await makeChange(page)
  return page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame += 1) await clock.frame()
    const { watched } = /** @type {{ watched: { moved: number, ends: boolean } }} */ (
      /** @type {unknown} */ (globalThis)
    )
    watched.ends = true
    return watched.moved
  })
}

/** Sums the browser's layout shift scores. @param {Page} page */
async function recordShifts(page) {
  await page.evaluate(() => {
    const noted = { shifts: 0 }
    new PerformanceObserver((list) => {
      // The DOM types lack `value`, which layout shift entries have.
      for (const { value } of /** @type {any[]} */ (list.getEntries())) noted.shifts += value
      Object.assign(globalThis, noted)
    }).observe({ type: 'layout-shift' })
    Object.assign(globalThis, noted)
  })
}
