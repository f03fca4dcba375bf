import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, onTestFinished } from 'vitest'
import { cookiesOf, followLink } from '../../server/src/testing/browser.ts'
import { endCountingCpu } from '../../server/src/testing/run/cpu-time.ts'
import type { TestUser } from '../../server/src/testing/user.ts'
import { launchBrowser } from './program.js'

/** Browsers treat names below it as their own machine, so that pages there may do what encrypted ones may. */
export const LOCAL_DOMAIN = { PARLEY_ROOT_DOMAIN: 'localhost' }

/** Whether there is a browser to test with; `setup.ts` says where there is none. */
export const hasBrowser = inject('browser') !== undefined

const PATIENCE_MILLISECONDS = 30_000

export const VIEWPORT = { width: 1280, height: 800 }

let running: Browser | undefined
let users = 0

/** One browser for a test file, in whichever of its helpers it is used. */
export function useBrowser(): () => Browser {
  beforeAll(async () => {
    users += 1
    const program = inject('browser')
    if (program === undefined || users > 1) return
    running = await launchBrowser(program)
  })
  afterAll(async () => {
    users -= 1
    if (users > 0) return
    await endCountingCpu(async () => running?.close())
    running = undefined
  })
  return () => {
    if (running === undefined) throw new Error('the browser starts in beforeAll')
    return running
  }
}

/** The address of a page of a person's organization. */
export function addressOf(user: TestUser, path = '/'): string {
  return `http://${user.host}:${new URL(user.url).port}${path}`
}

export interface WindowOptions extends BrowserContextOptions {
  /** Matches errors that the test itself causes. */
  readonly expectedError?: RegExp
  /** Whether the person gets the hints for newcomers. */
  readonly hasHints?: boolean
}

/** Collects errors of a window's pages, and their requests to other hosts. */
export function faultsIn(context: BrowserContext, isExpected: (fault: string) => boolean): string[] {
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
    // The browser itself reports refused requests so; the page need not be at fault.
    const isOfNetwork = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isOfNetwork && !isExpected(message.text())) faults.push(message.text())
  })
  return faults
}

/** Opens a window with its own cookies, in which any fault fails the test. */
export async function openWindow(
  browser: Browser,
  { expectedError, ...options }: WindowOptions = {},
): Promise<BrowserContext> {
  const context = await newContext(browser, options)
  const faults = faultsIn(context, (fault) => expectedError?.test(fault) === true)
  onTestFinished(async () => {
    await context.close()
    expect(faults).toEqual([])
  })
  return context
}

export async function newContext(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: VIEWPORT,
    locale: 'en-US',
    // A worker that starts takes as much CPU time as the page; tests of what it does allow it.
    serviceWorkers: 'block',
    ...options,
  })
  context.setDefaultTimeout(PATIENCE_MILLISECONDS)
  return context
}

/** Opens a page of the client as a person who is signed in. */
export async function openAs(
  browser: Browser,
  user: TestUser,
  path = '/',
  { hasHints = false, ...options }: WindowOptions = {},
): Promise<Page> {
  if (!hasHints) await closeHints(user)
  const page = await (await openWindow(browser, options)).newPage()
  await signInto(page, user)
  await load(page, user, path)
  return page
}

export async function load(page: Page, user: TestUser, path: string): Promise<void> {
  await page.goto(addressOf(user, path))
  await page.locator('#main').waitFor()
}

/** Signs a person in by the cookie of a session, so that the page that signs people in need not be loaded. */
export async function signInto(page: Page, user: TestUser): Promise<void> {
  const answer = await followLink(user, await page.evaluate(() => navigator.userAgent))
  const cookies = Object.entries(cookiesOf(answer)).map(([name, cookie]) => {
    const [value = ''] = cookie.split(';')
    return { name, value, domain: user.host, path: '/', httpOnly: true, sameSite: 'Lax' as const }
  })
  expect(cookies).toHaveLength(1)
  await page.context().addCookies(cookies)
}

/** What the client explains to people who are new: it is closed before it lies over what a test is about. */
const HINTS = ['intro_inbox_view_modal', 'jump_to_conversation_banner', 'intro_resolve_topic']

export async function closeHints(user: TestUser): Promise<void> {
  for (const onboarding_step of HINTS) await user.call('POST', '/users/me/onboarding_steps', { onboarding_step })
}

/** Opens another tab of the same browser. */
export async function anotherTab(page: Page, path: string): Promise<Page> {
  const tab = await page.context().newPage()
  await tab.goto(new URL(path, page.url()).href)
  await tab.locator('#main').waitFor()
  return tab
}

/** Counts what the pages of a window ask of an address. */
export function asked(context: BrowserContext, path: string): () => number {
  let count = 0
  context.on('request', (request) => {
    if (new URL(request.url()).pathname === `/api/v1${path}`) count += 1
  })
  return () => count
}

/** Tells a page whether somebody sees it, as a browser does where there are several tabs. */
export async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    Object.defineProperties(document, {
      hidden: { get: () => hidden, configurable: true },
      visibilityState: { get: () => (hidden ? 'hidden' : 'visible'), configurable: true },
    })
    document.dispatchEvent(new Event('visibilitychange'))
  }, isHidden)
}

/** Goes to another view without loading the page anew. */
export async function show(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    window.history.pushState(null, '', to)
    window.dispatchEvent(new PopStateEvent('popstate'))
  }, path)
}

/** Cuts the connection of each POST to an address when the server has answered it. */
export async function loseAnswers(page: Page, address: string): Promise<void> {
  const debug = await page.context().newCDPSession(page)
  debug.on('Fetch.requestPaused', ({ requestId, request }) => {
    const isLost = request.method === 'POST'
    const next = isLost
      ? debug.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionReset' })
      : debug.send('Fetch.continueRequest', { requestId })
    // The page may be closed by then.
    next.catch(() => undefined)
  })
  await debug.send('Fetch.enable', { patterns: [{ urlPattern: address, requestStage: 'Response' }] })
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
  }[]
}

/**
 * What a page lacks for people who use it otherwise than by eye and mouse; nothing, if all is well.
 * @param rules the rules of axe to check, such as `color-contrast`; all of them if left out, which takes four times as long
 */
export async function accessibilityFaults(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Evaluated by the debugger, which the page's policy for scripts does not bind.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  // All else that it finds would be sent from the browser to be thrown away.
  const violations = await page.evaluate(async (runOnly) => {
    const { axe } = window as unknown as { axe: { run(options: object): Promise<AxeResult> } }
    const only = runOnly === undefined ? {} : { runOnly }
    return (await axe.run({ resultTypes: ['violations'], ...only })).violations
  }, rules)
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary ?? ''}`),
  )
}
