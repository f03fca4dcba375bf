import { quantile, formatNumber } from '../figure.js'
import { slowDownCpu, withWindow } from '../parts/browser.js'
import { barePage, composerOf, openLongTopic, withBarePages, withWeb } from '../parts/web.js'

/** @import { Page } from '../parts/browser.js' */

const CPU_SLOWDOWN = 4
const ROUNDS = 4

const BARE_PAGE_SCRIPT = `addEventListener('click', () => { document.querySelector('button').textContent = 'pressed ' + performance.now() })`

/** @type {import('../figure.js').Figure} */
export const webInp = {
  id: 'web-inp',
  name: `time from interaction to next paint (INP), 98th percentile of all flows, on a CPU ${CPU_SLOWDOWN} times slower, against clicks on a bare page`,
  unit: 'ms',
  goal: { atMost: 3 },
  async measure() {
    return withWeb(async ({ browser, url, longTopic, signIn }) =>
      withWindow(browser, async (context) => {
        const page = await openLongTopic(context, { url, longTopic, signIn })
        await slowDownCpu(page, CPU_SLOWDOWN)
        await recordInteractions(page)
        /** Durations by flow. @type {Map<string, number[]>} */
        const times = new Map()
        for (let round = 0; round < ROUNDS; round += 1) {
          for (const [name, flow] of Object.entries(FLOWS)) {
            await flow(page, round)
            times.set(name, [...(times.get(name) ?? []), ...(await takeInteractions(page))])
          }
        }
        return withBarePages({ '/': barePage(BARE_PAGE_SCRIPT, '<button>not pressed</button>') }, async (bareUrl) => {
          const bare = await context.newPage()
          await bare.goto(bareUrl)
          await slowDownCpu(bare, CPU_SLOWDOWN)
          await recordInteractions(bare)
          const all = [...times.values()].flat()
          // Clicks as often as the flows do: the 98th percentile of a few clicks would depend on a single click.
          for (let click = 0; click < all.length; click += 1) await bare.locator('button').click()
          const clicks = await takeInteractions(bare)
          return {
            value: quantile(all, 0.98),
            baseline: quantile(clicks, 0.98),
            notes: [
              `${all.length} interactions, median ${formatNumber(quantile(all, 0.5))} ms; goal on a quiet machine: 100 ms`,
              `bare page: median ${formatNumber(quantile(clicks, 0.5))} ms, longest ${formatNumber(Math.max(...clicks))}`,
              ...[...times].map(
                ([name, each]) =>
                  `${name}: median ${formatNumber(quantile(each, 0.5))} ms, longest ${formatNumber(Math.max(...each))}`,
              ),
            ],
          }
        })
      }),
    )
  },
}

/** @param {Page} page @param {ReturnType<Page['locator']>} what */
async function waitForPaint(page, what) {
  await what.waitFor()
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        requestAnimationFrame(() => {
          setTimeout(resolve)
        })
      }),
  )
}

const VIEWS = /** @type {const} */ ([
  ['/inbox', 'Inbox'],
  ['/recent', 'Recent'],
  ['/feed', 'All messages'],
  ['/mentions', 'Mentions'],
  ['/starred', 'Starred'],
])

/** User actions, which can run in any order. @type {Record<string, (page: Page, round: number) => Promise<void>>} */
const FLOWS = {
  'opening conversations': async (page) => {
    const links = page.locator('.sidebar a[href^="/dm/"]')
    for (let index = 0; index < 4; index += 1) {
      await links.nth(index).click()
      await waitForPaint(page, page.locator('[data-row]').first())
    }
  },
  writing: async (page, round) => {
    await composerOf(page).fill('')
    await composerOf(page).pressSequentially(`Round ${round}: how are the beans, and who waters them?`)
    await composerOf(page).fill('')
  },
  'completing a name': async (page) => {
    await composerOf(page).pressSequentially('@ada')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('Escape')
    await composerOf(page).fill('')
  },
  'opening views': async (page) => {
    for (const [path, name] of VIEWS) {
      await page.locator(`.sidebar a[href="${path}"]`).click()
      await waitForPaint(page, page.locator('main').getByRole('heading', { name, level: 1, exact: true }))
    }
  },
  searching: async (page) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').first().pressSequentially('abel')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Escape')
  },
  'opening a channel': async (page) => {
    await page.locator('.sidebar a[href^="/c/"]').first().click()
    await waitForPaint(page, page.locator('main a[href*="/t/"]').first())
    await page.locator('main a[href*="/t/"]').first().click()
    await waitForPaint(page, page.locator('[data-row]').first())
  },
  'moving by keys': async (page) => {
    await page.locator('[data-row]').last().focus()
    for (let key = 0; key < 8; key += 1) await page.keyboard.press('k')
    for (let key = 0; key < 8; key += 1) await page.keyboard.press('j')
  },
  'filtering the sidebar': async (page) => {
    const filter = page.locator('.sidebar-filter')
    await filter.pressSequentially('fast')
    await filter.fill('')
  },
}

/** Records a page's interactions as the browser measures them. @param {Page} page */
async function recordInteractions(page) {
  await page.evaluate(() => {
    /** Duration of the longest event in ms, by interaction ID. @type {Map<number, number>} */
    const longest = new Map()
    const observer = new PerformanceObserver((list) => {
      // The DOM types lack these fields of event entries.
      for (const { interactionId, duration } of /** @type {any[]} */ (list.getEntries())) {
        if (interactionId > 0) longest.set(interactionId, Math.max(longest.get(interactionId) ?? 0, duration))
      }
    })
    observer.observe(/** @type {PerformanceObserverInit} */ ({ type: 'event', durationThreshold: 16, buffered: true }))
    Object.assign(globalThis, { interactions: longest })
  })
}

/** Returns and clears the recorded interactions. @param {Page} page @returns {Promise<number[]>} */
async function takeInteractions(page) {
  // Waits, because the browser reports events only after their paint.
  await page.waitForTimeout(300)
  return page.evaluate(() => {
    const { interactions: longest } = /** @type {{ interactions: Map<number, number> }} */ (
      /** @type {unknown} */ (globalThis)
    )
    const times = [...longest.values()]
    longest.clear()
    return times
  })
}
