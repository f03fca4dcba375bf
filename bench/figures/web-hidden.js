import { setTimeout as sleep } from 'node:timers/promises'
import { formatNumber } from '../figure.js'
import { createApi } from '../generate/organization.js'
import { withWindow } from '../parts/browser.js'
import { withWeb } from '../parts/web.js'

const TAB_COUNT = 4
const MEASURED_SECONDS = 40
const MESSAGE_INTERVAL_SECONDS = 4

/** @type {import('../figure.js').Figure} */
export const webHidden = {
  id: 'web-hidden',
  name: `CPU of the busiest of ${TAB_COUNT} hidden tabs, with a message every ${MESSAGE_INTERVAL_SECONDS} seconds`,
  unit: '% of a core',
  goal: { atMost: 0.5 },
  async measure() {
    return withWeb(async ({ browser, url, landmarks, longTopic, signIn }) =>
      withWindow(browser, async (context) => {
        const [writer] = landmarks.others
        if (writer === undefined) throw new Error('somebody else writes')
        const api = createApi(url, writer.email, writer.key)
        /** Pending requests for events. @type {Set<object>} */
        const open = new Set()
        context.on('request', (request) => {
          if (new URL(request.url()).pathname.endsWith('/events')) open.add(request)
        })
        /** @param {object} request */
        const end = (request) => void open.delete(request)
        context.on('requestfinished', end)
        context.on('requestfailed', end)
        // Makes pages believe that they are hidden. Chromium treats them as visible, so it does not throttle them.
        await context.addInitScript(() => {
          Object.defineProperties(document, {
            hidden: { get: () => true },
            visibilityState: { get: () => 'hidden' },
          })
        })
        await signIn(context)
        for (let tab = 0; tab < TAB_COUNT; tab += 1) {
          const page = await context.newPage()
          await page.goto(url + longTopic)
          await page.locator('[data-row]').first().waitFor()
        }
        const debug = await browser.newBrowserCDPSession()
        const seconds = async () => {
          const { processInfo } = await debug.send('SystemInfo.getProcessInfo')
          return new Map(processInfo.filter(({ type }) => type === 'renderer').map(({ id, cpuTime }) => [id, cpuTime]))
        }
        // Waits until deferred startup work has ended.
        await sleep(8000)
        const before = await seconds()
        for (let passed = 0; passed < MEASURED_SECONDS; passed += MESSAGE_INTERVAL_SECONDS) {
          await api('POST', '/messages', {
            type: 'direct',
            to: JSON.stringify([landmarks.active.id]),
            content: `After ${passed} seconds`,
          })
          await sleep(MESSAGE_INTERVAL_SECONDS * 1000)
        }
        const shares = [...(await seconds())].map(
          ([id, now]) => ((now - (before.get(id) ?? now)) / MEASURED_SECONDS) * 100,
        )
        return {
          value: Math.max(...shares),
          holds: open.size === 1,
          notes: [
            `all ${TAB_COUNT} tabs: ${shares.map(formatNumber).join(', ')} %`,
            `open event requests: ${open.size}, at most 1`,
          ],
        }
      }),
    )
  },
}
