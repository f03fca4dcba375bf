/*
 * A real Chromium, the one that tests of the web client use, and what is measured in it over its debugging protocol.
 */
import { fileURLToPath } from 'node:url'
import { prepare } from '../../tools/prepare.js'
import { watchPage } from './in-page.js'

/** @typedef {import('../../web/testing/program.js').Browser} Browser */
/** @typedef {import('../../web/testing/program.js').BrowserContext} BrowserContext */
/** @typedef {import('../../web/testing/program.js').Page} Page */

const TESTING = fileURLToPath(new URL('../../web/testing', import.meta.url))
const PATIENCE_MILLISECONDS = 120_000
const VIEWPORT = { width: 1280, height: 800 }

/** What Chromium's own tools call Fast 4G: bytes a second, and milliseconds from a question to its answer. */
const FAST_4G = { downloadThroughput: 1_012_500, uploadThroughput: 168_750, latency: 165 }

/**
 * @template T
 * @param {(browser: Browser) => Promise<T>} use
 */
export async function withBrowser(use) {
  await prepare({ root: TESTING, build: false })
  // Looked for when it is needed: its packages are installed by the line above.
  const { findBrowser, launchBrowser } = await import('../../web/testing/program.js')
  const program = await findBrowser()
  if (program === undefined) throw new Error('there is no browser to measure in')
  const browser = await launchBrowser(program)
  try {
    return await use(browser)
  } finally {
    await browser.close()
  }
}

/**
 * A window with cookies and a cache of its own, whose pages tell what they paint (`in-page.js`), closed after use.
 * @template T
 * @param {Browser} browser
 * @param {(context: BrowserContext) => Promise<T>} use
 */
export async function withWindow(browser, use) {
  const context = await browser.newContext({ viewport: VIEWPORT, locale: 'en-US' })
  context.setDefaultTimeout(PATIENCE_MILLISECONDS)
  await context.addInitScript(watchPage)
  try {
    return await use(context)
  } finally {
    await context.close()
  }
}

/** Makes the processor of a page this many times as slow. @param {Page} page @param {number} times */
export async function slowDown(page, times) {
  const debug = await page.context().newCDPSession(page)
  await debug.send('Emulation.setCPUThrottlingRate', { rate: times })
}

/** Lets a page load as over a mobile network. @param {Page} page */
export async function onFast4g(page) {
  const debug = await page.context().newCDPSession(page)
  await debug.send('Network.enable')
  await debug.send('Network.emulateNetworkConditions', { offline: false, ...FAST_4G })
}

/**
 * What the main thread of a page has done since this began: milliseconds of its processor time in tasks.
 * @param {Page} page
 */
export async function taskClock(page) {
  const debug = await page.context().newCDPSession(page)
  await debug.send('Performance.enable', { timeDomain: 'threadTicks' })
  const read = async () => {
    const { metrics } = await debug.send('Performance.getMetrics')
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0)
  }
  const begin = await read()
  return async () => (await read()) - begin
}

/** What scripts of a page hold in memory after a full collection, in bytes. @param {Page} page */
export async function heapOf(page) {
  const debug = await page.context().newCDPSession(page)
  await debug.send('HeapProfiler.enable')
  await debug.send('HeapProfiler.collectGarbage')
  const { usedSize } = await debug.send('Runtime.getHeapUsage')
  await debug.detach()
  return usedSize
}

/** When the first messages of a page were painted, in milliseconds since it was asked for. @param {Page} page */
export async function firstRowsOf(page) {
  return page.evaluate(async () => clock.firstRows)
}

/**
 * The milliseconds from each click or key of what is done to the paint that followed.
 * @param {Page} page
 * @param {() => Promise<void>} act
 * @param {string} [until] a selector of what has to be there in that paint; the next paint where it is empty
 * @returns {Promise<number[]>}
 */
export async function paintsAfter(page, act, until = '') {
  await page.evaluate((selector) => {
    clock.times.length = 0
    clock.until = selector
  }, until)
  await act()
  await page.waitForFunction(() => clock.waiting === 0 && clock.times.length > 0)
  return page.evaluate(() => clock.times)
}
