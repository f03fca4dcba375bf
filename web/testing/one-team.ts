import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, onTestFinished } from 'vitest'
import type { TestServer } from '../../server/src/testing/server.ts'
import type { TestUser } from '../../server/src/testing/user.ts'
import { closeHints, faultsIn, load, newContext, show, signInto, VIEWPORT, type WindowOptions } from './browser.ts'
import { newChannel, teamOn, type Team } from './team.ts'

/** Somebody in the channel of a team, who has chosen and written nothing yet. */
export async function newcomer({ user }: Team): Promise<TestUser> {
  const person = await user('Nora New')
  await person.subscribe(['garden'])
  return person
}

let channels = 0

/** The team with a channel of its own for a test, in which nothing has been said. */
export async function withChannel(team: Team): Promise<Team & { readonly channel: string }> {
  channels += 1
  const channel = `garden ${channels}`
  return { ...team, channel, channelId: await newChannel(team.owner, channel, [team.friend]) }
}

interface OpenWindow {
  readonly user: TestUser
  /** Options that a window has from its beginning. */
  readonly key: string
  readonly context: BrowserContext
  readonly page: Page
  readonly faults: string[]
  expectedError: RegExp | undefined
}

interface VisitOptions extends Omit<WindowOptions, 'hasHints' | 'colorScheme' | 'forcedColors'> {
  /** Whether the test moves the clock of the page. */
  readonly hasClock?: boolean
}

interface OneTeam<Made> {
  /** The organization of the tests so far; a new one after a test that failed. */
  readonly team: () => Promise<Made>
  /** Shows a view in a person's page, one for each set of options, without what the test before left open. */
  readonly visit: (user: TestUser, path?: string, options?: VisitOptions) => Promise<Page>
}

/**
 * One organization for several tests, and one page for each of its people, in which their tests show one view after
 * another: that costs a fifth of the CPU time of loading a page. What a test changes, the tests after it find changed.
 */
export function useOneTeam(server: () => TestServer, browser: () => Browser): OneTeam<Team>
export function useOneTeam<Made>(
  server: () => TestServer,
  browser: () => Browser,
  make: (server: TestServer) => Promise<Made>,
): OneTeam<Made>
export function useOneTeam(
  server: () => TestServer,
  browser: () => Browser,
  make: (server: TestServer) => Promise<unknown> = teamOn,
): OneTeam<unknown> {
  let windows: OpenWindow[] = []
  let current: Promise<unknown> | undefined
  const endAll = async (): Promise<void> => {
    const ended = windows
    windows = []
    current = undefined
    for (const { context } of ended) await context.close()
  }
  afterAll(endAll)

  const openFor = async (user: TestUser, key: string, options: BrowserContextOptions): Promise<OpenWindow> => {
    await closeHints(user)
    const context = await newContext(browser(), options)
    const faults = faultsIn(context, (fault) => window.expectedError?.test(fault) === true)
    const window: OpenWindow = { user, key, context, faults, page: await context.newPage(), expectedError: undefined }
    windows.push(window)
    await signInto(window.page, user)
    return window
  }

  const visit = async (user: TestUser, path = '/', options: VisitOptions = {}): Promise<Page> => {
    const { viewport = VIEWPORT, expectedError, hasClock = false, ...others } = options
    const key = JSON.stringify([hasClock, others])
    const known = windows.find((one) => one.user === user && one.key === key)
    const window = known ?? (await openFor(user, key, others))
    const { page, faults } = window
    window.expectedError = expectedError
    onTestFinished(async ({ task }) => {
      if (task.result?.state === 'fail') await endAll()
      else {
        if (hasClock) await page.clock.resume()
        await leave(window)
      }
      const found = faults.splice(0)
      if (found.length > 0) throw new Error(found.join('\n'))
    })
    if (viewport !== null) await page.setViewportSize(viewport)
    if (known === undefined) {
      await load(page, user, path)
      if (hasClock) await page.clock.install()
    } else await show(page, path)
    return page
  }

  return { team: async () => (current ??= make(server())), visit }
}

/** Shows a view that has nothing, and takes away what a test did to the page. */
async function leave({ context, page }: OpenWindow): Promise<void> {
  for (const other of context.pages().filter((one) => one !== page)) await other.close()
  page.removeAllListeners()
  await Promise.all([page.unrouteAll(), context.unrouteAll(), context.setOffline(false)])
  await page.emulateMedia({ colorScheme: null, forcedColors: null })
  while (await hasOverlay(page)) await page.keyboard.press('Escape')
  await page.mouse.move(0, 0)
  await show(page, '/c/nothing')
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
}

/** Whether a dialog or a menu is open. Notes of the test before are closed on the way. */
async function hasOverlay(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    for (const button of document.querySelectorAll<HTMLElement>('.toast > .icon-button')) button.click()
    return document.querySelector('dialog[open], [role=dialog], [role=menu]') !== null
  })
}
