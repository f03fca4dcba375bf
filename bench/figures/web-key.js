import { quantile, formatNumber } from '../figure.js'
import { millisecondsToPaints, startTaskClock, withWindow } from '../parts/browser.js'
import { forcedLayouts } from '../parts/trace.js'
import { barePage, composerOf, openLongTopic, withBarePages, withWeb } from '../parts/web.js'

/** @import { Page } from '../parts/browser.js' */

const TYPED_TEXT = 'The quick brown fox jumps over the lazy dog, and types on. '.repeat(3)
const ROUNDS = 3

/** @type {import('../figure.js').Figure} */
export const webKey = {
  id: 'web-key',
  name: 'time from key press in the composer to paint, against a bare field',
  unit: 'ms',
  goal: { atMost: 1.5 },
  async measure() {
    return withWeb(async ({ browser, url, longTopic, signIn }) =>
      withWindow(browser, async (context) => {
        const page = await openLongTopic(context, { url, longTopic, signIn })
        const field = '<textarea aria-label="Message to" class="composer-field" rows="1"></textarea>'
        return withBarePages({ '/': barePage('', field) }, async (bareUrl) => {
          const bare = await context.newPage()
          await bare.goto(bareUrl)
          const times = { client: /** @type {number[]} */ ([]), bare: /** @type {number[]} */ ([]) }
          const tasks = { client: await startTaskClock(page), bare: await startTaskClock(bare) }
          for (let round = 0; round < ROUNDS; round += 1) {
            times.client.push(...(await typeText(page)))
            times.bare.push(...(await typeText(bare)))
          }
          const perKey = (/** @type {number} */ all) => formatNumber(all / ROUNDS / TYPED_TEXT.length)
          const work = `${perKey(await tasks.client())} ms of thread time per key, against ${perKey(await tasks.bare())}`
          const layouts = await forcedLayouts(page, async () => void (await typeText(page)))
          return {
            value: quantile(times.client, 0.5),
            baseline: quantile(times.bare, 0.5),
            holds: layouts === 0,
            notes: [
              work,
              `95th percentile ${formatNumber(quantile(times.client, 0.95))} ms against ${formatNumber(quantile(times.bare, 0.95))}; goal on a quiet machine: 16 ms`,
              `${layouts} forced layouts during ${TYPED_TEXT.length} keys, at most 0`,
            ],
          }
        })
      }),
    )
  },
}

/** @param {Page} page */
async function typeText(page) {
  const field = composerOf(page)
  await field.fill('')
  return millisecondsToPaints(page, async () => field.pressSequentially(TYPED_TEXT, { delay: 20 }))
}
