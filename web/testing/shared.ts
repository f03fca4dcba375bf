import type { Browser, Page } from 'playwright-core'
import { useTestServer, type TestServer } from '../../server/src/testing/server.ts'
import type { TestUser } from '../../server/src/testing/user.ts'
import { LOCAL_DOMAIN, useBrowser, type WindowOptions } from './browser.ts'
import { teamOn, type Team } from './team.ts'
import { Teams } from './teams.ts'
import { Windows, type VisitOptions } from './windows.ts'

/*
 * A test file has one server, one browser, one organization, and few windows. In CPU time, a new window costs 0.6 s, a
 * window that was used before 0.3 s, another tab 0.3 s, and another view in a page 0.1 s. So a test takes the first of
 * these that its promise allows:
 *
 *   team, visit          the organization and the page of the tests before, and whatever they changed
 *   makeTeam, openPage   people, channels, and a page as in a new organization and a new window
 *   openStranger         the same without anybody who is signed in
 *   openAs, openWindow   (in `browser.ts`) a window of its own, which may get scripts, a debugger, or a clock
 */

export interface TeamTests<Made> {
  readonly server: () => TestServer
  readonly browser: () => Browser
  /** The organization of the tests so far; a new one after a test that failed. */
  readonly team: () => Promise<Made>
  /**
   * Shows a view in a person's page, one for each set of options, without overlays that the test before left open. What
   * a test changes, the tests after it find changed.
   */
  readonly visit: (user: TestUser, path?: string, options?: VisitOptions) => Promise<Page>
  /** Makes people and a channel for a test. Those of the test before are deactivated and archived. */
  readonly makeTeam: () => Promise<Team>
  /** Opens a page in a window that another test may have used, in which nothing of that test is left. */
  readonly openPage: (user: TestUser, path?: string, options?: WindowOptions) => Promise<Page>
  readonly openStranger: (options?: WindowOptions) => Promise<Page>
}

/** @param make makes the organization that `team` returns */
export function useTeam(environment?: Readonly<Record<string, string>>): TeamTests<Team>
export function useTeam<Made>(
  environment: Readonly<Record<string, string>>,
  make: (server: TestServer) => Promise<Made>,
): TeamTests<Made>
export function useTeam(
  environment: Readonly<Record<string, string>> = {},
  make: (server: TestServer) => Promise<unknown> = teamOn,
): TeamTests<unknown> {
  const server = useTestServer({ ...LOCAL_DOMAIN, ...environment })
  const browser = useBrowser()
  const teams = new Teams(server)
  let team: Promise<unknown> | undefined
  const windows = new Windows(browser, () => {
    team = undefined
  })
  return {
    server,
    browser,
    team: async () => (team ??= make(server())),
    visit: async (...args) => windows.visit(...args),
    makeTeam: async () => teams.next(),
    openPage: async (...args) => windows.open(...args),
    openStranger: async (options) => windows.openStranger(options),
  }
}
