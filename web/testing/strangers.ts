import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { faultsIn, newContext } from './browser.ts'

interface StrangersWindow {
  /** Options that a window has from its beginning. */
  readonly key: string
  readonly context: BrowserContext
  readonly page: Page
  readonly faults: string[]
  isTaken: boolean
}

/**
 * Opens pages of people who are not signed in, in windows that tests share: a page at an address that was loaded before
 * costs half the CPU time of one in a new window. A test that adds scripts or attaches a debugger uses `openWindow`.
 */
export function useStrangers(browser: () => Browser): (options?: BrowserContextOptions) => Promise<Page> {
  let windows: StrangersWindow[] = []

  const take = async (options: BrowserContextOptions): Promise<StrangersWindow> => {
    const key = JSON.stringify(options)
    const free = windows.find((one) => one.key === key && !one.isTaken)
    if (free !== undefined) {
      free.isTaken = true
      return free
    }
    const context = await newContext(browser(), options)
    const faults = faultsIn(context, () => false)
    const window: StrangersWindow = { key, context, faults, page: await context.newPage(), isTaken: true }
    windows.push(window)
    return window
  }

  return async (options = {}) => {
    const window = await take(options)
    onTestFinished(async ({ task }) => {
      if (task.result?.state === 'fail') {
        windows = windows.filter((one) => one !== window)
        await window.context.close()
      } else await forget(window)
      const found = window.faults.splice(0)
      if (found.length > 0) throw new Error(found.join('\n'))
    })
    return window.page
  }
}

/** Signs out, and takes away what a test did to the window and what the page kept. */
async function forget(window: StrangersWindow): Promise<void> {
  const { context, page } = window
  for (const other of context.pages().filter((one) => one !== page)) await other.close()
  page.removeAllListeners()
  await Promise.all([page.unrouteAll(), context.unrouteAll(), context.setOffline(false)])
  const { origin } = new URL(page.url())
  await page.goto('about:blank')
  await page.emulateMedia({ colorScheme: null, forcedColors: null })
  const debug = await context.newCDPSession(page)
  await debug.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await debug.detach()
  await Promise.all([context.clearCookies(), context.clearPermissions()])
  window.isTaken = false
}
