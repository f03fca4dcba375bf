import { gzipSync } from 'node:zlib'
import { quantile, formatNumber } from '../figure.js'
import { millisecondsToFirstRows, emulateFast4g, slowDownCpu, withWindow } from '../parts/browser.js'
import { barePage, rowsOf, withBarePages, withWeb } from '../parts/web.js'

const ROUNDS = 5
const CPU_SLOWDOWN = 4

/** Script of the bare page: loads as many bytes in as many sequential steps as the client, and shows the same rows. */
const BARE_PAGE_SCRIPT = `
async function begin() {
  const state = (await fetch('/state')).json()
  const rows = (await fetch('/rows')).json()
  await state
  document.querySelector('.list-rows').innerHTML = (await rows).rows.join('')
  const list = document.querySelector('.list')
  list.scrollTop = list.scrollHeight
}
void begin()
`

/** @type {import('../figure.js').Figure} */
export const webCold = {
  id: 'web-cold',
  name: `time to first messages with an empty cache over Fast 4G on a CPU ${CPU_SLOWDOWN} times slower, against a bare page that loads as many bytes in as many steps; 10,000 people`,
  unit: 'ms',
  goal: { atMost: 1.25 },
  async measure() {
    return withWeb(async (web) => {
      const loaded = await recordResponses(web)
      const script = { type: 'text/javascript', body: `${BARE_PAGE_SCRIPT}/*${loaded.script}*/` }
      const page = { ...barePage(''), body: barePage('').body.replace('<script>', '<script src="/app.js">') }
      const pages = {
        '/': page,
        '/app.js': script,
        '/state': { type: 'application/json', body: loaded.state },
        '/rows': { type: 'application/json', body: JSON.stringify({ rows: loaded.rows, messages: loaded.messages }) },
      }
      return withBarePages(pages, async (bareUrl) => {
        const times = { client: /** @type {number[]} */ ([]), bare: /** @type {number[]} */ ([]) }
        for (let round = 0; round < ROUNDS; round += 1) {
          times.client.push(await coldStart(web, web.url + web.longTopic))
          times.bare.push(await coldStart(web, bareUrl))
        }
        const bytes = gzipSync(loaded.state).length
        return {
          value: quantile(times.client, 0.5),
          baseline: quantile(times.bare, 0.5),
          notes: [
            `compressed state: ${Math.round(bytes / 1024)} KiB; goal on a quiet machine: 1,500 ms`,
            `rounds: ${times.client.map(formatNumber).join(', ')} ms against ${times.bare.map(formatNumber).join(', ')}`,
          ],
        }
      })
    })
  },
}

/** Records the responses that the client loads before its first messages. @param {import('../parts/web.js').Web} web */
async function recordResponses({ browser, url, longTopic, signIn }) {
  return withWindow(browser, async (context) => {
    await signIn(context)
    const page = await context.newPage()
    const answers = { state: '', messages: '', script: '' }
    /** @type {Promise<void>[]} */
    const read = []
    page.on('response', (response) => {
      const { pathname } = new URL(response.url())
      const into = pathname.endsWith('/register')
        ? 'state'
        : pathname.endsWith('/messages')
          ? 'messages'
          : /^\/assets\/.*\.js$/.test(pathname)
            ? 'script'
            : undefined
      if (into === undefined) return
      read.push(
        response.text().then((text) => {
          answers[into] += into === 'script' ? text.replaceAll('*/', '') : text
        }),
      )
    })
    await page.goto(url + longTopic)
    await page.locator('[data-row]').first().waitFor()
    await page.waitForLoadState('load')
    // Ignores later responses, which are prefetches.
    page.removeAllListeners('response')
    await Promise.all(read)
    return { ...answers, rows: await rowsOf(page) }
  })
}

/** @param {import('../parts/web.js').Web} web @param {string} address */
async function coldStart({ browser, signIn }, address) {
  return withWindow(browser, async (context) => {
    await signIn(context)
    const page = await context.newPage()
    await emulateFast4g(page)
    await slowDownCpu(page, CPU_SLOWDOWN)
    await page.goto(address)
    return millisecondsToFirstRows(page)
  })
}
