import { formatNumber, quantile } from '../figure.js'
import { millisecondsToPaints, withWindow } from '../parts/browser.js'
import { OWNER } from '../parts/product.js'
import { composerOf, withWeb } from '../parts/web.js'

/** @import { Page } from '../parts/browser.js' @import { Size } from '../generate/shape.js' */

const ROUNDS = 9
/** Time in which a page finishes deferred work, which would slow the next measurement. */
const SETTLE_MILLISECONDS = 2000

const LARGE_SIZE = { users: 50_000, channels: 5_000, messages: 20_000, longTopic: 0, seed: 1 }
/** For comparison: an organization in which the number of people and channels hardly matters. @type {Size} */
const SMALL_SIZE = { ...LARGE_SIZE, users: 500, channels: 50 }

/** Goals in milliseconds on a quiet machine. */
const GOALS_MILLISECONDS = { reload: 400, palette: 150, mention: 150, people: 500 }

/** @typedef {Record<keyof typeof GOALS_MILLISECONDS, number>} Times medians in milliseconds */

/** @type {import('../figure.js').Figure} */
export const webLarge = {
  id: 'web-large',
  name: 'opening the palette with 50,000 people and 5,000 channels, against 500 people and 50 channels',
  unit: 'ms',
  goal: { atMost: 4 },
  async measure() {
    const [large, small] = [await measureOrganization(LARGE_SIZE), await measureOrganization(SMALL_SIZE)]
    const note = (/** @type {keyof Times} */ name, /** @type {string} */ what) =>
      `${what}: ${formatNumber(large[name])} ms against ${formatNumber(small[name])}; goal on a quiet machine: ${GOALS_MILLISECONDS[name]} ms`
    return {
      value: large.palette,
      baseline: small.palette,
      notes: [
        note('palette', 'opening the palette'),
        note('reload', 'reloading, to the sidebar'),
        note('mention', 'completing `@`'),
        note('people', 'opening the people in settings'),
      ],
    }
  },
}

/** @param {Size} size @returns {Promise<Times>} */
async function measureOrganization(size) {
  return withWeb(async (web) => ({ ...(await measureMember(web)), people: await measureSettings(web) }), size)
}

/** @param {import('../parts/web.js').Web} web @returns {Promise<Omit<Times, 'people'>>} */
async function measureMember({ browser, url, signIn }) {
  return withWindow(browser, async (context) => {
    await signIn(context)
    const page = await context.newPage()
    await page.goto(`${url}/inbox`)
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
    await page.waitForTimeout(SETTLE_MILLISECONDS)
    const reload = await measureInRounds(async () => reloadUntilSidebarShows(page))
    const palette = await measureInRounds(async () => {
      const time = await millisecondsToPaintAfterKey(page, 'Control+k', '.palette-list [role=option]')
      await millisecondsToPaints(page, async () => page.keyboard.press('Escape'))
      return time
    })
    await page.locator('.sidebar a[href^="/dm/"]').first().click()
    await composerOf(page).waitFor()
    const mention = await measureInRounds(async () => {
      await composerOf(page).fill('')
      return millisecondsToPaintAfterKey(page, '@', '[role=listbox] [role=option]')
    })
    return { reload, palette, mention }
  })
}

/** Opens the list of all people, as the owner. @param {import('../parts/web.js').Web} web */
async function measureSettings({ browser, url, signIn }) {
  return withWindow(browser, async (context) => {
    await signIn(context, OWNER)
    const page = await context.newPage()
    const link = page.locator('a[href="/settings/people"]')
    return measureInRounds(async () => {
      await page.goto(`${url}/settings/devices`)
      await link.waitFor()
      await page.waitForTimeout(SETTLE_MILLISECONDS)
      return Math.min(...(await millisecondsToPaints(page, async () => link.click(), '.account-names')))
    })
  })
}

/** Returns the median. @param {() => Promise<number>} measureOnce */
async function measureInRounds(measureOnce) {
  const times = []
  for (let round = 0; round < ROUNDS; round += 1) times.push(await measureOnce())
  return quantile(times, 0.5)
}

/** Milliseconds from navigation until the sidebar has channels. @param {Page} page */
async function reloadUntilSidebarShows(page) {
  const address = page.url()
  await page.goto('about:blank')
  await page.goto(address)
  const time = await page.evaluate(async () => {
    while (document.querySelector('.sidebar a[href^="/c/"]') === null) await clock.frame()
    return performance.now()
  })
  await page.waitForTimeout(SETTLE_MILLISECONDS)
  return time
}

/** @param {Page} page @param {string} key @param {string} until selector */
async function millisecondsToPaintAfterKey(page, key, until) {
  // The last key of a combination causes the paint, so it has the shortest time.
  return Math.min(...(await millisecondsToPaints(page, async () => page.keyboard.press(key), until)))
}
