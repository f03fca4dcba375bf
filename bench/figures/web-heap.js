import { formatNumber } from '../figure.js'
import { measureHeapBytes, withWindow } from '../parts/browser.js'
import { withWeb } from '../parts/web.js'

/** @import { Page } from '../parts/browser.js' */

const MESSAGES = 10_000
const VIEW_SWITCHES = 500
const CONVERSATIONS = 12
const MAX_HEAP_GROWTH = 0.05

/** @type {import('../figure.js').Figure} */
export const webHeap = {
  id: 'web-heap',
  name: `script memory with 10,000 people and ${MESSAGES} messages`,
  unit: 'MB',
  goal: { atMost: 60 },
  async measure() {
    return withWeb(async ({ browser, url, longTopic, signIn }) =>
      withWindow(browser, async (context) => {
        await signIn(context)
        const page = await context.newPage()
        const read = { messages: 0 }
        page.on('response', (response) => {
          if (!new URL(response.url()).pathname.endsWith('/messages')) return
          void response.json().then(({ messages = [] }) => {
            read.messages += messages.length
          })
        })
        await page.goto(url + longTopic)
        await page.locator('[data-row]').first().waitFor()
        const before = await measureHeapBytes(page)
        while (read.messages < MESSAGES) {
          await page.evaluate(() => document.querySelector('.list')?.scrollTo(0, 0))
          await page.waitForTimeout(20)
        }
        const full = await measureHeapBytes(page)
        const conversations = await page.locator('.sidebar a[href^="/dm/"]').count()
        await switchConversations(page, Math.min(CONVERSATIONS, conversations) * 2)
        const begin = await measureHeapBytes(page)
        await switchConversations(page, VIEW_SWITCHES)
        const end = await measureHeapBytes(page)
        return {
          value: full / 1e6,
          holds: end <= begin * (1 + MAX_HEAP_GROWTH),
          notes: [
            `${formatNumber(before / 1e6)} MB with only the first messages, after ${read.messages} messages ${formatNumber(full / 1e6)}`,
            `${formatNumber(begin / 1e6)} MB before ${VIEW_SWITCHES} view switches, ${formatNumber(end / 1e6)} after: ${formatNumber((end / begin - 1) * 100)} % more, at most ${MAX_HEAP_GROWTH * 100}`,
          ],
        }
      }),
    )
  },
}

/** @param {Page} page @param {number} times */
async function switchConversations(page, times) {
  await page.evaluate(
    async ({ count, most }) => {
      const links = [...document.querySelectorAll('.sidebar a[href^="/dm/"]')].slice(0, most)
      for (let index = 0; index < count; index += 1) {
        const link = links[index % links.length]
        if (link instanceof HTMLElement) link.click()
        const { pathname } = location
        // Waits for the paint, which takes two frames.
        for (let frame = 0; frame < 2 || document.querySelector('[data-row]') === null; frame += 1) {
          await clock.frame()
          if (frame > 600) throw new Error(`${pathname} shows no messages`)
        }
      }
    },
    { count: times, most: CONVERSATIONS },
  )
}
