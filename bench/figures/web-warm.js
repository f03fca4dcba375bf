import { quantile, formatNumber } from '../figure.js'
import { millisecondsToFirstRows, slowDownCpu, withWindow } from '../parts/browser.js'
import { barePage, openLongTopic, rowsOf, withBarePages, withWeb } from '../parts/web.js'

const ROUNDS = 9
const CPU_SLOWDOWN = 4
const STORED_PARTS = ['cursor', 'people', 'channels', 'rest']
/** Maximum ratio of the client's time to the bare page's, on a throttled CPU. */
const MAX_SLOW_RATIO = 3

/** Script of the bare page: stores the same data as the client, reads it, and shows it. */
const BARE_PAGE_SCRIPT = `
const opening = indexedDB.open('bare', 1)
opening.onupgradeneeded = () => opening.result.createObjectStore('texts')
const asked = (request) => new Promise((resolve) => { request.onsuccess = () => resolve(request.result) })
const opened = new Promise((resolve) => { opening.onsuccess = () => resolve(opening.result) })
async function keep(texts) {
  const store = (await opened).transaction('texts', 'readwrite').objectStore('texts')
  await Promise.all(Object.entries(texts).map(([name, text]) => asked(store.put(text, name))))
}
async function show() {
  const store = (await opened).transaction('texts').objectStore('texts')
  const texts = await asked(store.getAll())
  const [rows] = texts.map((text) => JSON.parse(text)).filter(Array.isArray)
  if (rows === undefined) return
  document.querySelector('.list-rows').innerHTML = rows.join('')
  const list = document.querySelector('.list')
  list.scrollTop = list.scrollHeight
}
void show()
`

/** @type {import('../figure.js').Figure} */
export const webWarm = {
  id: 'web-warm',
  name: 'time from cached state to first messages, against a bare page that reads as much and shows the same rows; 10,000 people',
  unit: 'ms',
  goal: { atMost: 2 },
  async measure() {
    return withWeb(async ({ browser, url, longTopic, signIn }) =>
      withWindow(browser, async (context) => {
        const page = await openLongTopic(context, { url, longTopic, signIn })
        await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
        const texts = { ...(await waitForStoredTexts(page)), rows: JSON.stringify(await rowsOf(page)) }
        const characters = Object.values(texts).reduce((sum, text) => sum + text.length, 0)
        return withBarePages({ '/': barePage(BARE_PAGE_SCRIPT) }, async (bareUrl) => {
          const bare = await context.newPage()
          await bare.goto(bareUrl)
          await bare.evaluate((all) => /** @type {any} */ (globalThis).keep(all), texts)
          const at1 = await measureStarts(page, bare)
          for (const one of [page, bare]) await slowDownCpu(one, CPU_SLOWDOWN)
          const at4 = await measureStarts(page, bare)
          return {
            value: at1.client,
            baseline: at1.bare,
            holds: at4.client / at4.bare <= MAX_SLOW_RATIO,
            notes: [
              `on a CPU ${CPU_SLOWDOWN} times slower: ${formatNumber(at4.client)} ms against ${formatNumber(at4.bare)}, ratio ${formatNumber(at4.client / at4.bare)}, at most ${MAX_SLOW_RATIO}`,
              `${Math.round(characters / 1024)} KiB cached`,
            ],
          }
        })
      }),
    )
  },
}

/** Waits until the client has stored its state and messages. @param {import('../parts/browser.js').Page} page */
async function waitForStoredTexts(page) {
  for (;;) {
    const { state, windows } = await page.evaluate(readStoredTexts, STORED_PARTS)
    if (state.every(Boolean) && windows.some(({ messages }) => messages !== '[]')) {
      return Object.fromEntries(state.map((text, index) => [`state ${index}`, text]))
    }
    await page.waitForTimeout(200)
  }
}

/** @param {string[]} parts @returns {Promise<{ state: string[], windows: { messages: string }[] }>} */
async function readStoredTexts(parts) {
  /** @param {IDBRequest} request @returns {Promise<any>} */
  const result = (request) =>
    new Promise((resolve) => {
      request.addEventListener('success', () => resolve(request.result))
    })
  /** @type {IDBDatabase} */
  const opened = await result(indexedDB.open('parley'))
  const reading = opened.transaction(['state', 'windows'])
  const [state, windows] = await Promise.all([
    Promise.all(parts.map((name) => result(reading.objectStore('state').get(name)))),
    result(reading.objectStore('windows').getAll()),
  ])
  opened.close()
  return { state, windows }
}

/** @param {import('../parts/browser.js').Page} client @param {import('../parts/browser.js').Page} bare */
async function measureStarts(client, bare) {
  const times = { client: /** @type {number[]} */ ([]), bare: /** @type {number[]} */ ([]) }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, page] of /** @type {const} */ ([
      ['client', client],
      ['bare', bare],
    ])) {
      // Leaves the page first, because the client stores data when its page unloads.
      const address = page.url()
      await page.goto('about:blank')
      await page.goto(address)
      times[name].push(await millisecondsToFirstRows(page))
      // Waits for deferred startup work, which would slow the next start.
      await page.waitForTimeout(500)
    }
  }
  return { client: quantile(times.client, 0.5), bare: quantile(times.bare, 0.5) }
}
