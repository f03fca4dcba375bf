import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import type { TestUser } from '../../server/src/testing/user.ts'
import {
  addressOf,
  closeHints,
  recordFaults,
  load,
  createContext,
  show,
  signInByCookie,
  VIEWPORT,
  type WindowOptions,
} from './browser.ts'

export interface VisitOptions extends Omit<WindowOptions, 'hasHints'> {
  /** Whether the test controls the page's clock. */
  readonly hasClock?: boolean
}

interface OpenWindow {
  /** Options that cannot change after the window is opened, as JSON. */
  readonly key: string
  /** Person who stays signed in; undefined if each test clears the window. */
  readonly visitor: TestUser | undefined
  readonly context: BrowserContext
  page: Page
  debug: CDPSession
  readonly faults: string[]
  expectedError: RegExp | undefined
  isTaken: boolean
}

/** Windows of a test file. A page error fails the test that uses the window. A failed test leaves no window behind. */
export class Windows {
  readonly #browser: () => Browser
  readonly #failed: () => void
  #windows: OpenWindow[] = []

  /** @param failed called after a failed test in a window whose person stays signed in */
  constructor(browser: () => Browser, failed: () => void) {
    this.#browser = browser
    this.#failed = failed
  }

  /** Opens a person's page in a cleared window. */
  async open(user: TestUser, path = '/', { hasHints = false, ...options }: WindowOptions = {}): Promise<Page> {
    if (!hasHints) await closeHints(user)
    const page = await this.openStranger(options, addressOf(user))
    await signInByCookie(page, user)
    await load(page, user, path)
    return page
  }

  /** Opens an empty page in a cleared window, signed out. */
  async openStranger(options: WindowOptions = {}, address?: string): Promise<Page> {
    const window = await this.#take(undefined, options)
    onTestFinished(async ({ task }) => {
      if (task.result?.state === 'fail') await this.#close(window)
      else await clearWindow(window, address)
      throwFaults(window)
    })
    return window.page
  }

  /** Shows a view in the page of a person who stays signed in. There is one page per set of options. */
  async visit(user: TestUser, path = '/', { hasClock = false, ...options }: VisitOptions = {}): Promise<Page> {
    const count = this.#windows.length
    const window = await this.#take(user, options, hasClock)
    const isNew = this.#windows.length > count
    const { page } = window
    onTestFinished(async ({ task }) => {
      if (task.result?.state === 'fail') {
        for (const one of this.#windows.filter(({ visitor }) => visitor !== undefined)) await this.#close(one)
        this.#failed()
      } else if (page.isClosed()) await this.#close(window)
      else {
        if (hasClock) await page.clock.resume()
        await showEmptyView(window)
      }
      throwFaults(window)
    })
    if (isNew) {
      await closeHints(user)
      await signInByCookie(page, user)
      await load(page, user, path)
      if (hasClock) await page.clock.install()
    } else await show(page, path)
    return page
  }

  async #take(
    visitor: TestUser | undefined,
    { expectedError, viewport = VIEWPORT, colorScheme, forcedColors, reducedMotion, ...options }: WindowOptions,
    hasClock = false,
  ): Promise<OpenWindow> {
    const key = JSON.stringify([hasClock, options])
    const known = this.#windows.find(
      (one) => one.key === key && one.visitor === visitor && (visitor !== undefined || !one.isTaken),
    )
    const window = known ?? (await this.#open(visitor, key, options))
    Object.assign(window, { expectedError, isTaken: true })
    if (viewport !== null) await window.page.setViewportSize(viewport)
    await window.page.emulateMedia({
      colorScheme: colorScheme ?? 'light',
      forcedColors: forcedColors ?? 'none',
      reducedMotion: reducedMotion ?? 'no-preference',
    })
    if (options.permissions !== undefined) await window.context.grantPermissions(options.permissions)
    return window
  }

  async #open(visitor: TestUser | undefined, key: string, options: WindowOptions): Promise<OpenWindow> {
    const context = await createContext(this.#browser(), options)
    const faults = recordFaults(context, (fault) => window.expectedError?.test(fault) === true)
    const opened = await newPage(context)
    const window: OpenWindow = { key, visitor, context, faults, expectedError: undefined, isTaken: true, ...opened }
    this.#windows.push(window)
    return window
  }

  async #close(window: OpenWindow): Promise<void> {
    this.#windows = this.#windows.filter((one) => one !== window)
    await window.context.close()
  }
}

function throwFaults({ faults }: OpenWindow): void {
  const found = faults.splice(0)
  if (found.length > 0) throw new Error(found.join('\n'))
}

async function closeTabsAndRoutes(window: OpenWindow): Promise<void> {
  const { context, page } = window
  for (const other of context.pages().filter((one) => one !== page)) await other.close()
  page.removeAllListeners()
  await Promise.all([page.unrouteAll(), context.unrouteAll(), context.setOffline(false), context.clearPermissions()])
}

/** Clears all storage of a test's pages, including storage at an address that the page has left. */
async function clearWindow(window: OpenWindow, address?: string): Promise<void> {
  if (window.page.isClosed()) Object.assign(window, await newPage(window.context))
  await closeTabsAndRoutes(window)
  const { context, page, debug } = window
  const origins = new Set([page.url(), address ?? page.url()].map((url) => new URL(url).origin))
  await page.goto('about:blank')
  for (const origin of origins) {
    if (origin !== 'null') await debug.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  }
  await context.clearCookies()
  window.isTaken = false
}

async function newPage(context: BrowserContext): Promise<Pick<OpenWindow, 'page' | 'debug'>> {
  const page = await context.newPage()
  return { page, debug: await context.newCDPSession(page) }
}

/** Shows an empty view, without overlays and toasts that a test left open. */
async function showEmptyView(window: OpenWindow): Promise<void> {
  await closeTabsAndRoutes(window)
  const { page } = window
  while (await hasOverlay(page)) await page.keyboard.press('Escape')
  // Outside the page: lists keep their order while the pointer is in them.
  await page.mouse.move(-1, -1)
  // Composers do not take the focus if the latest input was a shortcut.
  await page.keyboard.press('F9')
  await show(page, '/c/nothing')
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  window.isTaken = false
}

/** Closes toasts. @returns whether a dialog or a menu is open */
async function hasOverlay(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    for (const button of document.querySelectorAll<HTMLElement>('.toast > .icon-button')) button.click()
    return document.querySelector('dialog[open], [role=dialog], [role=menu]') !== null
  })
}
