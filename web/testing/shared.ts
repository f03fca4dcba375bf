import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright-core'
import { afterAll, expect, onTestFinished } from 'vitest'
import { ROLE } from '../../server/src/kernel/actor.ts'
import { useTestServer, type TestOrganization, type TestServer } from '../../server/src/testing/server.ts'
import type { TestUser } from '../../server/src/testing/user.ts'
import {
  addressOf,
  closeHints,
  faultsIn,
  load,
  LOCAL_DOMAIN,
  newContext,
  signInto,
  useBrowser,
  VIEWPORT,
  type WindowOptions,
} from './browser.ts'
import { newTeam, type Team } from './team.ts'
import { showView } from './views.ts'

/**
 * One server, one organization, and its windows for a test file. A page in a window that has loaded the client before
 * costs half the CPU time of one in a new window.
 */
export function useTeam(environment: Readonly<Record<string, string>> = {}): {
  readonly server: () => TestServer
  readonly browser: () => Browser
  /** Makes people and a channel for a test. Those of the test before are deactivated and archived. */
  readonly makeTeam: () => Promise<Team>
  /**
   * Opens a page in a window that another test may have used. A test that installs a clock, adds scripts, or attaches a
   * debugger uses `openAs`: the window would keep them.
   */
  readonly openPage: (user: TestUser, path?: string, options?: WindowOptions) => Promise<Page>
} {
  const server = useTestServer({ ...LOCAL_DOMAIN, ...environment })
  const browser = useBrowser()
  const teams = new Teams(server)
  const windows = new Windows(browser)
  return { server, browser, makeTeam: async () => teams.next(), openPage: async (...args) => windows.open(...args) }
}

/**
 * What several tests share that begin where the one before ended, such as a team and its page: it is made for the first
 * of them, and anew after a test that failed.
 * @param make opens windows, in which any fault fails the test that runs
 * @returns what a test calls to get it
 */
export function useShared<Shared>(
  browser: () => Browser,
  make: (open: (user: TestUser, path?: string, options?: WindowOptions) => Promise<Page>) => Promise<Shared>,
): () => Promise<Shared> {
  let shared: Shared | undefined
  let windows: { readonly context: BrowserContext; readonly faults: string[] }[] = []
  const open = async (user: TestUser, path = '/', options: WindowOptions = {}): Promise<Page> => {
    const { hasHints = false, expectedError, ...others } = options
    if (!hasHints) await closeHints(user)
    const context = await newContext(browser(), others)
    windows.push({ context, faults: faultsIn(context, (fault) => expectedError?.test(fault) === true) })
    const page = await context.newPage()
    await signInto(page, user)
    await load(page, user, path)
    return page
  }
  const close = async (): Promise<void> => {
    const closing = windows
    windows = []
    shared = undefined
    for (const { context } of closing) await context.close()
  }
  afterAll(close)
  return async () => {
    onTestFinished(async ({ task }) => {
      const found = windows.flatMap(({ faults }) => faults.splice(0))
      if (task.result?.state === 'fail' || found.length > 0) await close()
      const pages = windows.flatMap(({ context }) => context.pages())
      await Promise.all(pages.map(async (page) => page.unrouteAll()))
      expect(found).toEqual([])
    })
    shared ??= await make(open)
    return shared
  }
}

/** Shows a view on a page that another test may have used, without the notes and the size that it left. */
export async function startAt(page: Page, path: string, viewport = VIEWPORT): Promise<void> {
  await page.setViewportSize(viewport)
  await page.locator('.toast > :last-child').evaluateAll((crosses) => {
    for (const cross of crosses) if (cross instanceof HTMLElement) cross.click()
  })
  await showView(page, path)
}

/** What an organization has beside people and channels. */
const SHARED_STATE = [
  'realm',
  'realm_emoji',
  'realm_linkifiers',
  'realm_playgrounds',
  'realm_user_settings_defaults',
  'custom_profile_fields',
  'default_streams',
  'channel_folders',
]

interface SharedOrganization {
  readonly here: TestOrganization
  /** `stateFor` its owner at the beginning. */
  readonly state: string | undefined
}

class Teams {
  readonly #server: () => TestServer
  #organization: SharedOrganization | undefined
  #owner: TestUser | undefined
  #people: TestUser[] = []

  constructor(server: () => TestServer) {
    this.#server = server
  }

  async next(): Promise<Team> {
    const { here } = (this.#organization = await this.#unchanged())
    const before = this.#people
    this.#people = []
    const user: TestOrganization['user'] = async (...args) => {
      const person = await here.user(...args)
      this.#people.push(person)
      return person
    }
    const owner = before.length === 0 ? here.owner : await user('Olivia Owner', { role: ROLE.owner })
    if (before.length === 0) this.#people.push(owner)
    else {
      for (const { id } of before) await owner.try('DELETE', `/users/${id}`)
      await archiveChannels(owner)
    }
    this.#owner = owner
    return newTeam({ ...here, owner, user })
  }

  /** The organization of the test before, or a new one if that test changed it. */
  async #unchanged(): Promise<SharedOrganization> {
    const [organization, owner] = [this.#organization, this.#owner]
    if (organization !== undefined && owner !== undefined && (await stateFor(owner)) === organization.state)
      return organization
    this.#people = []
    const here = await this.#server().organization('Hill & Valley')
    return { here, state: await stateFor(here.owner) }
  }
}

/** The state that all people of an organization share; undefined if the owner may not read it any more. */
async function stateFor(owner: TestUser): Promise<string | undefined> {
  const { status, body } = await owner.try('POST', '/register', { fetch_event_types: SHARED_STATE })
  const { queue_id: _queue, last_event_id: _event, ...state } = body
  return status === 200 ? JSON.stringify(state) : undefined
}

/** Archives all channels under names that no test uses. */
async function archiveChannels(owner: TestUser): Promise<void> {
  const { streams } = await owner.call('GET', '/streams', { include_all: true, exclude_archived: true })
  for (const { stream_id, name } of streams as { stream_id: number; name: string }[]) {
    await owner.call('PATCH', `/streams/${stream_id}`, { new_name: `${name} ${stream_id}` })
    await owner.call('DELETE', `/streams/${stream_id}`)
  }
}

/** Options that a page can change while its window is open. */
interface PooledWindow {
  /** Options that a window has from its beginning. */
  readonly key: string
  readonly context: BrowserContext
  page: Page
  debug: CDPSession
  readonly faults: string[]
  expectedError: RegExp | undefined
  isTaken: boolean
}

/** The windows of a test file. A test has each for itself, as if it were new. */
class Windows {
  readonly #browser: () => Browser
  #windows: PooledWindow[] = []

  constructor(browser: () => Browser) {
    this.#browser = browser
  }

  async open(user: TestUser, path = '/', options: WindowOptions = {}): Promise<Page> {
    const { hasHints = false, expectedError, viewport = VIEWPORT, colorScheme, forcedColors, ...others } = options
    if (!hasHints) await closeHints(user)
    const window = await this.#take(others)
    const { page, faults } = window
    window.expectedError = expectedError
    onTestFinished(async ({ task }) => {
      if (task.result?.state === 'fail') await this.#close(window)
      else await reset(window, new URL(addressOf(user)).origin)
      const found = faults.splice(0)
      if (found.length > 0) throw new Error(found.join('\n'))
    })
    if (viewport !== null) await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme: colorScheme ?? 'light', forcedColors: forcedColors ?? 'none' })
    await signInto(page, user)
    await load(page, user, path)
    return page
  }

  async #take(options: BrowserContextOptions): Promise<PooledWindow> {
    const key = JSON.stringify(options)
    const free = this.#windows.find((one) => one.key === key && !one.isTaken)
    if (free !== undefined) {
      free.isTaken = true
      return free
    }
    const context = await newContext(this.#browser(), options)
    const faults = faultsIn(context, (fault) => window.expectedError?.test(fault) === true)
    const opened = await newPage(context)
    const window: PooledWindow = { key, context, faults, expectedError: undefined, isTaken: true, ...opened }
    this.#windows.push(window)
    return window
  }

  async #close(window: PooledWindow): Promise<void> {
    this.#windows = this.#windows.filter((one) => one !== window)
    await window.context.close()
  }
}

/** Forgets what the pages of a test kept, and what was changed for them. */
async function reset(window: PooledWindow, origin: string): Promise<void> {
  const { context } = window
  if (window.page.isClosed()) Object.assign(window, await newPage(context))
  const { page, debug } = window
  for (const other of context.pages().filter((one) => one !== page)) await other.close()
  page.removeAllListeners()
  await Promise.all([page.unrouteAll(), context.unrouteAll(), context.setOffline(false)])
  await page.goto('about:blank')
  await debug.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await context.clearCookies()
  window.isTaken = false
}

async function newPage(context: BrowserContext): Promise<Pick<PooledWindow, 'page' | 'debug'>> {
  const page = await context.newPage()
  return { page, debug: await context.newCDPSession(page) }
}
