/* Measures pages over the debugging protocol of the Chromium version that the web client's tests use. */
import { fileURLToPath } from 'node:url'
import { prepare } from '../../tools/prepare.js'
import { watchPage } from './in-page.js'

/** @typedef {import('../../web/testing/program.js').Browser} Browser */
/** @typedef {import('../../web/testing/program.js').BrowserContext} BrowserContext */
/** @typedef {import('../../web/testing/program.js').Page} Page */

const WEB_TESTING_FOLDER = fileURLToPath(new URL('../../web/testing', import.meta.url))
const WAIT_TIMEOUT_MILLISECONDS = 120_000
const VIEWPORT = { width: 1280, height: 800 }

/** Chromium's "Fast 4G" preset: bytes per second, and round-trip time in milliseconds. */
const FAST_4G = { downloadThroughput: 1_012_500, uploadThroughput: 168_750, latency: 165 }

/** @template T @param {(browser: Browser) => Promise<T>} use */
export async function withBrowser(use) {
  await prepare({ root: WEB_TESTING_FOLDER, build: false })
  // Loaded only now, after `prepare` has installed the package's dependencies.
  const { findBrowser, launchBrowser } = await import('../../web/testing/program.js')
  const program = await findBrowser()
  if (program === undefined) throw new Error('no browser is installed')
  const browser = await launchBrowser(program)
  try {
    return await use(browser)
  } finally {
    await browser.close()
  }
}

/**
 * Opens a window with its own cookies and cache. Its pages report their paints (`in-page.js`).
 * @template T @param {Browser} browser @param {(context: BrowserContext) => Promise<T>} use
 */
export async function withWindow(browser, use) {
  const context = await browser.newContext({ viewport: VIEWPORT, locale: 'en-US' })
  context.setDefaultTimeout(WAIT_TIMEOUT_MILLISECONDS)
  await context.addInitScript(watchPage)
  try {
    return await use(context)
  } finally {
    await context.close()
  }
}

/** Slows down a page's CPU by the factor `times`. @param {Page} page @param {number} times */
export async function slowDownCpu(page, times) {
  const debug = await page.context().newCDPSession(page)
  await debug.send('Emulation.setCPUThrottlingRate', { rate: times })
}

/** @param {Page} page */
export async function emulateFast4g(page) {
  const debug = await page.context().newCDPSession(page)
  await debug.send('Network.enable')
  await debug.send('Network.emulateNetworkConditions', { offline: false, ...FAST_4G })
}

/** Returns a function that reads the main thread's CPU milliseconds since this call. @param {Page} page */
export async function startTaskClock(page) {
  const debug = await page.context().newCDPSession(page)
  await debug.send('Performance.enable', { timeDomain: 'threadTicks' })
  const read = async () => {
    const { metrics } = await debug.send('Performance.getMetrics')
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0)
  }
  const begin = await read()
  return async () => (await read()) - begin
}

/** Bytes of JavaScript heap after a full garbage collection. @param {Page} page */
export async function measureHeapBytes(page) {
  const debug = await page.context().newCDPSession(page)
  await debug.send('HeapProfiler.enable')
  await debug.send('HeapProfiler.collectGarbage')
  const { usedSize } = await debug.send('Runtime.getHeapUsage')
  await debug.detach()
  return usedSize
}

/** Milliseconds from navigation to the first painted messages. @param {Page} page */
export async function millisecondsToFirstRows(page) {
  return page.evaluate(async () => clock.firstRows)
}

/**
 * Measures the milliseconds from each click or key press to the next paint.
 * @param {Page} page @param {() => Promise<void>} act
 * @param {string} [until] selector that must match in that paint; by default, any paint @returns {Promise<number[]>}
 */
export async function millisecondsToPaints(page, act, until = '') {
  await page.evaluate((selector) => {
    clock.times.length = 0
    clock.until = selector
  }, until)
  await act()
  await page.waitForFunction(() => clock.waiting === 0 && clock.times.length > 0)
  return page.evaluate(() => clock.times)
}
