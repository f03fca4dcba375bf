import type { Browser, Page } from 'playwright-core'
import { useTestServer, type TestServer } from '../../server/src/testing/server.ts'
import type { TestUser } from '../../server/src/testing/user.ts'
import { LOCAL_DOMAIN, useBrowser, type WindowOptions } from './browser.ts'
import { createTeamOn, type Team } from './team.ts'
import { Teams } from './teams.ts'
import { Windows, type VisitOptions } from './windows.ts'

/*
 * A test file has one server, one browser, one organization, and few windows. In CPU time, a new window costs 0.6 s, a
 * reused window 0.3 s, another tab 0.3 s, and another view in a page 0.1 s. Each test uses the first sufficient option
 * of this list:
 * - `team`, `visit`: the organization and page of earlier tests, with their changes
 * - `makeTeam`, `openPage`: people, channels, and a page as in a new organization and window
 * - `openStranger`: a page as in a new window, signed out
 * - `openAs`, `openWindow` (in `browser.ts`): a separate window, which can get scripts, a debugger, or a clock
 */

export interface TeamTests<Made> {
  readonly server: () => TestServer
  readonly browser: () => Browser
  /** Returns the organization of earlier tests, or a new organization after a failed test. */
  readonly team: () => Promise<Made>
  /** Shows a view in a person's page, without overlays. Each set of options has its own page, which tests share. */
  readonly visit: (user: TestUser, path?: string, options?: VisitOptions) => Promise<Page>
  /** Creates people and a channel. Deactivates the people and archives the channels of the previous test. */
  readonly makeTeam: () => Promise<Team>
  /** Opens a page in a window without data from earlier tests. */
  readonly openPage: (user: TestUser, path?: string, options?: WindowOptions) => Promise<Page>
  readonly openStranger: (options?: WindowOptions) => Promise<Page>
}

/** @param make creates the organization that `team` returns */
export function useTeam(environment?: Readonly<Record<string, string>>): TeamTests<Team>
export function useTeam<Made>(
  environment: Readonly<Record<string, string>>,
  make: (server: TestServer) => Promise<Made>,
): TeamTests<Made>
export function useTeam(
  environment: Readonly<Record<string, string>> = {},
  make: (server: TestServer) => Promise<unknown> = createTeamOn,
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
