import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, onTestFinished } from 'vitest'
import { cookiesOf, followLink } from '../../server/src/testing/browser.ts'
import { endCountingCpu } from '../../server/src/testing/run/cpu-time.ts'
import type { TestUser } from '../../server/src/testing/user.ts'
import { launchBrowser } from './program.js'

/** Server settings for subdomains of localhost, which browsers treat as secure contexts. */
export const LOCAL_DOMAIN = { PARLEY_ROOT_DOMAIN: 'localhost' }

/** Whether a browser is installed; `setup.ts` warns if none is. */
export const hasBrowser = inject('browser') !== undefined

const ACTION_TIMEOUT_MILLISECONDS = 30_000

export const VIEWPORT = { width: 1280, height: 800 }

let sharedBrowser: Browser | undefined
let browserUsers = 0

/**
 * Starts one browser per test file, regardless of the number of helpers that use it.
 * @param flags of the browser; ignored unless this is the first call in the file
 */
export function useBrowser(flags: readonly string[] = []): () => Browser {
  beforeAll(async () => {
    browserUsers += 1
    const program = inject('browser')
    if (program === undefined || browserUsers > 1) return
    sharedBrowser = await launchBrowser(program, flags)
  })
  afterAll(async () => {
    browserUsers -= 1
    if (browserUsers > 0) return
    await endCountingCpu(async () => sharedBrowser?.close())
    sharedBrowser = undefined
  })
  return () => {
    if (sharedBrowser === undefined) throw new Error('the browser starts in beforeAll')
    return sharedBrowser
  }
}

export function addressOf(user: TestUser, path = '/'): string {
  return `http://${user.host}:${new URL(user.url).port}${path}`
}

export interface WindowOptions extends BrowserContextOptions {
  /** Matches page errors that the test causes and expects. */
  readonly expectedError?: RegExp
  readonly hasHints?: boolean
}

export function recordFaults(context: BrowserContext, isExpected: (fault: string) => boolean): string[] {
  const faults: string[] = []
  context.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url())
    if (protocol.startsWith('http') && hostname !== '127.0.0.1' && !hostname.endsWith('.localhost'))
      faults.push(`asks ${request.url()}`)
  })
  context.on('weberror', (error) => {
    const stack = String(error.error().stack)
    if (!isExpected(stack)) faults.push(stack)
  })
  context.on('console', (message) => {
    // The browser also logs refused requests as errors, though the page may be correct.
    const isOfNetwork = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isOfNetwork && !isExpected(message.text())) faults.push(message.text())
  })
  return faults
}

/** Opens a window with its own cookies; any page error fails the test. */
export async function openWindow(
  browser: Browser,
  { expectedError, ...options }: WindowOptions = {},
): Promise<BrowserContext> {
  const context = await createContext(browser, options)
  const faults = recordFaults(context, (fault) => expectedError?.test(fault) === true)
  onTestFinished(async () => {
    await context.close()
    expect(faults).toEqual([])
  })
  return context
}

export async function createContext(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: VIEWPORT,
    locale: 'en-US',
    // Starting a service worker takes as much CPU time as loading the page, so only tests of the worker allow it.
    serviceWorkers: 'block',
    ...options,
  })
  context.setDefaultTimeout(ACTION_TIMEOUT_MILLISECONDS)
  return context
}

export async function openAs(
  browser: Browser,
  user: TestUser,
  path = '/',
  { hasHints = false, ...options }: WindowOptions = {},
): Promise<Page> {
  if (!hasHints) await closeHints(user)
  const page = await (await openWindow(browser, options)).newPage()
  await signInByCookie(page, user)
  await load(page, user, path)
  return page
}

export async function load(page: Page, user: TestUser, path: string): Promise<void> {
  await page.goto(addressOf(user, path))
  await page.locator('#main').waitFor()
}

/** Signs a person in by session cookie, without loading the sign-in page. */
export async function signInByCookie(page: Page, user: TestUser): Promise<void> {
  const answer = await followLink(user, await page.evaluate(() => navigator.userAgent))
  const cookies = Object.entries(cookiesOf(answer)).map(([name, cookie]) => {
    const [value = ''] = cookie.split(';')
    return { name, value, domain: user.host, path: '/', httpOnly: true, sameSite: 'Lax' as const }
  })
  expect(cookies).toHaveLength(1)
  await page.context().addCookies(cookies)
}

/** IDs of the onboarding hints, which would cover the page under test. */
const HINT_IDS = ['intro_inbox_view_modal', 'jump_to_conversation_banner', 'intro_resolve_topic']

const closings = new WeakMap<TestUser, Promise<void>>()

/** Closes a person's hints and checklist, once per person. */
export async function closeHints(user: TestUser): Promise<void> {
  const closing = closings.get(user) ?? closeHintsOnServer(user)
  closings.set(user, closing)
  return closing
}

async function closeHintsOnServer(user: TestUser): Promise<void> {
  for (const onboarding_step of HINT_IDS) await user.call('POST', '/users/me/onboarding_steps', { onboarding_step })
  // Dismisses the First steps checklist in the inbox.
  await user.call('PATCH', '/preferences', { preferences: { 'web.firstSteps': '"done"' } })
}

export async function openAnotherTab(page: Page, path: string): Promise<Page> {
  const tab = await page.context().newPage()
  await tab.goto(new URL(path, page.url()).href)
  await tab.locator('#main').waitFor()
  return tab
}

export function countRequests(context: BrowserContext, path: string): () => number {
  let count = 0
  context.on('request', (request) => {
    if (new URL(request.url()).pathname === `/api/v1${path}`) count += 1
  })
  return () => count
}

/** Returns a promise to resolve later, for example to delay a response. */
export function createGate(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

/** Makes a page believe that its tab is hidden or visible. */
export async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    Object.defineProperties(document, {
      hidden: { get: () => hidden, configurable: true },
      visibilityState: { get: () => (hidden ? 'hidden' : 'visible'), configurable: true },
    })
    document.dispatchEvent(new Event('visibilitychange'))
  }, isHidden)
}

/** Presses a shortcut after Control, which, like a pause, keeps successive shortcuts from counting as typed text. */
/** Opens a menu until it has an item. Some actions load after the first paint. */
export async function openMenuWith(item: Locator, open: () => Promise<void>): Promise<Locator> {
  await expect
    .poll(async () => {
      await open()
      await item.page().getByRole('menu').waitFor()
      const isOffered = (await item.count()) > 0
      if (!isOffered) await item.page().keyboard.press('Escape')
      return isOffered
    })
    .toBe(true)
  return item
}

export async function pressShortcut(page: Page, key: string): Promise<void> {
  await page.keyboard.press('Control')
  await page.keyboard.press(key)
}

/** Returns the name, text, and selection of the focused field; undefined if no field has the focus. */
export async function focusedField(
  page: Page,
): Promise<readonly [name: string, text: string, from: number, to: number] | undefined> {
  return page.evaluate(() => {
    const { activeElement: field } = document
    if (!(field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement)) return undefined
    return [field.ariaLabel ?? '', field.value, field.selectionStart ?? 0, field.selectionEnd ?? 0]
  })
}

/** Goes to another view without reloading the page. */
export async function show(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    window.history.pushState(null, '', to)
    window.dispatchEvent(new PopStateEvent('popstate'))
  }, path)
}

/** Drops the connection of each POST to an address after the server has answered. */
export async function dropResponses(page: Page, address: string): Promise<void> {
  const debug = await page.context().newCDPSession(page)
  debug.on('Fetch.requestPaused', ({ requestId, request }) => {
    const isLost = request.method === 'POST'
    const next = isLost
      ? debug.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionReset' })
      : debug.send('Fetch.continueRequest', { requestId })
    // The page may already be closed.
    next.catch(() => undefined)
  })
  await debug.send('Fetch.enable', { patterns: [{ urlPattern: address, requestStage: 'Response' }] })
}

const AXE_SCRIPT = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

declare global {
  interface Window {
    axe: { run(options: object): Promise<AxeResult> }
  }
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
  }[]
}

/**
 * Finds accessibility faults with axe.
 * @param rules axe rules, such as `color-contrast`; if omitted, all rules, which takes four times as long
 */
export async function accessibilityFaults(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Evaluated by the debugger, which the page's content security policy does not restrict.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE_SCRIPT)
  // Limited to violations: sending all other results from the browser takes time.
  const violations = await page.evaluate(async (runOnly) => {
    const only = runOnly === undefined ? {} : { runOnly }
    return (await window.axe.run({ resultTypes: ['violations'], ...only })).violations
  }, rules)
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary ?? ''}`),
  )
}
