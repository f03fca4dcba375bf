import { quantile, formatNumber } from '../figure.js'
import { millisecondsToPaints, slowDownCpu, withWindow } from '../parts/browser.js'
import { barePage, composerOf, rowsOf, withBarePages, withWeb } from '../parts/web.js'

/** @import { Page } from '../parts/browser.js' */

const ROUNDS = 15
const WARM_UP_ROUNDS = 3
const CPU_SLOWDOWN = 4
/** Number of direct conversations among which to find the two longest. */
const CONVERSATION_CANDIDATES = 8

/** Script of the bare page, which shows one of two sets of rows, scrolled to the end. */
const BARE_PAGE_SCRIPT = `
const templates = []
async function prepare(conversations) {
  for (const rows of conversations) {
    const template = document.createElement('template')
    template.innerHTML = rows.join('')
    templates.push(template)
  }
  document.querySelector('.sidebar').innerHTML = conversations.map((_, index) => '<a href="#" data-open="' + index + '">' + index + '</a><br>').join('')
}
addEventListener('click', (event) => {
  event.preventDefault()
  const list = document.querySelector('.list')
  list.firstElementChild.replaceChildren(templates[event.target.dataset.open].content.cloneNode(true))
  list.scrollTop = list.scrollHeight
})
`

/** @type {import('../figure.js').Figure} */
export const webOpen = {
  id: 'web-open',
  name: 'reopening a conversation, from click to paint, against a bare page that shows the same rows',
  unit: 'ms',
  goal: { atMost: 2.5 },
  async measure() {
    return withWeb(async ({ browser, url, signIn }) =>
      withWindow(browser, async (context) => {
        await signIn(context)
        const page = await context.newPage()
        await page.goto(`${url}/inbox`)
        const conversations = await findLongestConversations(page)
        return withBarePages({ '/': barePage(BARE_PAGE_SCRIPT) }, async (bareUrl) => {
          const bare = await context.newPage()
          await bare.goto(bareUrl)
          await bare.evaluate(
            (rows) => /** @type {any} */ (globalThis).prepare(rows),
            conversations.map(({ rows }) => rows),
          )
          const at1 = await measureOpens(page, bare, conversations)
          for (const one of [page, bare]) await slowDownCpu(one, CPU_SLOWDOWN)
          const at4 = await measureOpens(page, bare, conversations)
          return {
            value: at1.client,
            baseline: at1.bare,
            holds: at4.client / at4.bare <= 2.5,
            notes: [
              `on a CPU ${CPU_SLOWDOWN} times slower: ${formatNumber(at4.client)} ms against ${formatNumber(at4.bare)}, ratio ${formatNumber(at4.client / at4.bare)}, at most 2.5`,
              `${conversations.map(({ rows }) => rows.length).join(' and ')} rows; goals on a quiet machine: 50 and 100 ms`,
            ],
          }
        })
      }),
    )
  },
}

/** @typedef {{ href: string, seen: string, rows: string[] }} Conversation `seen`: ID of a message in view */

/** Runs in the page. @returns the ID of the message in the middle of the list */
function middleMessageId() {
  const { top, height } = document.querySelector('.list')?.getBoundingClientRect() ?? new DOMRect()
  const rows = [...document.querySelectorAll('[data-row]')]
  // The middle itself can be a divider between days.
  const row = rows.findLast((one) => one.getBoundingClientRect().top <= top + height / 2) ?? rows[0]
  return row?.getAttribute('data-row') ?? ''
}

/** Returns the two longest direct conversations. @param {Page} page @returns {Promise<Conversation[]>} */
async function findLongestConversations(page) {
  const links = page.locator('.sidebar a[href^="/dm/"]')
  await links.first().waitFor()
  const found = []
  for (let index = 0; index < Math.min(CONVERSATION_CANDIDATES, await links.count()); index += 1) {
    const href = (await links.nth(index).getAttribute('href')) ?? ''
    await links.nth(index).click()
    await composerOf(page).waitFor()
    await page.waitForFunction(
      (path) => location.pathname === path && document.querySelector('[data-row]') !== null,
      href,
    )
    // Waits until the client has drawn the rest of a long conversation, half a second after the first rows.
    await page.waitForTimeout(1500)
    const rows = await rowsOf(page)
    found.push({ href, rows, seen: await page.evaluate(middleMessageId) })
  }
  return found.toSorted((one, other) => other.rows.length - one.rows.length).slice(0, 2)
}

/** Median opening times in ms. @param {Page} page @param {Page} bare @param {readonly Conversation[]} conversations */
async function measureOpens(page, bare, conversations) {
  const times = { client: /** @type {number[]} */ ([]), bare: /** @type {number[]} */ ([]) }
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    for (const [index, { href, seen }] of conversations.entries()) {
      const row = `[data-row="${seen}"]`
      const client = await millisecondsToPaints(
        page,
        async () => page.locator(`.sidebar a[href="${href}"]`).click(),
        row,
      )
      const least = await millisecondsToPaints(bare, async () => bare.locator(`[data-open="${index}"]`).click(), row)
      if (round < 0) continue
      times.client.push(...client)
      times.bare.push(...least)
    }
  }
  return { client: quantile(times.client, 0.5), bare: quantile(times.bare, 0.5) }
}
