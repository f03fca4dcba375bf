import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, expect } from 'vitest'
import { createOrganizationWithBot, createAccount } from '../capabilities/users/actions/accounts.ts'
import { hashNewPassword } from '../capabilities/authentication/actions/index.ts'
import { readConfig } from '../config.ts'
import { ROLE, type Role } from '../kernel/actor.ts'
import { createLogger } from '../platform/logger.ts'
import { setLogStart } from '../platform/log/organization-rows.ts'
import type { Pace } from '../platform/pace.ts'
import { openStore, serve, type Parley } from '../start.ts'
import { writeSightings } from './contract-check.ts'
import { createDatabase } from './databases.ts'
import { expectProjectionsAsLoaded } from './projections.ts'
import { TestUser } from './user.ts'

export interface TestServer {
  readonly parley: Parley
  readonly database: pg.ClientConfig
  /** Creates an organization, so that tests are independent. */
  organization(name?: string, options?: OrganizationOptions): Promise<TestOrganization>
  close(): Promise<void>
}

export interface OrganizationOptions {
  /** Empty for the organization that a server without PARLEY_ROOT_DOMAIN serves. */
  readonly stringId?: string
  readonly password?: string
  /** First log position, for tests that compare organizations. */
  readonly firstPosition?: number
}

export interface TestOrganization {
  readonly id: number
  readonly host: string
  readonly owner: TestUser
  readonly user: (name: string, options?: { role?: Role; bot?: { ownerId?: number } }) => Promise<TestUser>
  /** Creates inactive people. @returns their IDs */
  readonly crowd: (count: number) => Promise<number[]>
}

const ROOT_DOMAIN = 'parley.test'

/**
 * Positions of new organizations, chosen by test file and ID. High positions, as after a restore, reveal statements
 * that treat positions as 32-bit integers.
 */
const FIRST_POSITIONS: readonly number[] = [0, 0, 2 ** 31 + 1000, 0, 0, 0, 2 ** 40 + 1000, 0]

const SHORT_PACE: Pace = {
  // A poll takes 3 ms of CPU time: 20 polls a second took 7% of a core in each running test file.
  jobSecondMilliseconds: 200,
  consumerPollMilliseconds: 25,
  gatherSecondMilliseconds: 25,
  consumerRetryMilliseconds: 10,
  // All test files share a machine, so the process can wait for the CPU for seconds.
  silentLockMilliseconds: 60_000,
}

export interface TestServerOptions {
  readonly shared: boolean
  readonly pace?: Pace
}

/** Starts a server on a fresh copy of the migrated template database. */
export async function startTestServer(
  environment: Record<string, string> = {},
  options: TestServerOptions = { shared: false },
): Promise<TestServer> {
  const database = await createDatabase()
  const server = await startTestServerOn(database, environment, options)
  return {
    ...server,
    async close() {
      await server.close()
      await rm(dataDirectoryOf(database), { recursive: true, force: true })
    },
  }
}

/** Servers on one database share the folder. */
function dataDirectoryOf({ database }: pg.ClientConfig): string {
  return join(tmpdir(), `parley-${database}`)
}

type EnvironmentOf = (database: string) => Readonly<Record<string, string>>

const noEnvironment: EnvironmentOf = () => ({})
let sharedEnvironment = noEnvironment

/**
 * Adds settings by database name for all servers started later.
 * @returns a function that removes them
 */
export function configureServers(environmentOf: EnvironmentOf): () => void {
  sharedEnvironment = environmentOf
  return () => {
    sharedEnvironment = noEnvironment
  }
}

const runningServers = new Map<string, Parley>()

/** Finds a server, for access beyond the API. */
export function parleyAt(url: string): Parley {
  const parley = runningServers.get(url)
  if (parley === undefined) throw new Error(`no server of this test file runs at ${url}`)
  return parley
}

export async function startTestServerOn(
  database: pg.ClientConfig,
  environment: Record<string, string> = {},
  options: TestServerOptions = { shared: false },
): Promise<TestServer> {
  const config = readConfig({
    PORT: '0',
    PARLEY_ROOT_DOMAIN: ROOT_DOMAIN,
    PARLEY_DEVELOPMENT: '1',
    PARLEY_DATA_DIR: dataDirectoryOf(database),
    PARLEY_RATE_LIMITS: 'off',
    PARLEY_LOG_LEVEL: 'error',
    ...sharedEnvironment(database.database ?? ''),
    ...environment,
  })
  const logger = createLogger(config.PARLEY_LOG_LEVEL)
  const store = openStore(database, config, logger, { pace: SHORT_PACE, ...options })
  const parley = await serve(store, config, logger)
  runningServers.set(parley.url, parley)
  return {
    parley,
    database,
    async organization(name = 'Test', { stringId = `o${randomUUID().slice(0, 8)}`, password, firstPosition } = {}) {
      const passwordHash = password === undefined ? null : await hashNewPassword(password)
      const { owner, apiKey, id } = await parley.logs.create(stringId, async (tx) => {
        await createOrganizationWithBot(tx, { name, stringId })
        const account = { email: 'owner@example.com', fullName: 'Olivia Owner', role: ROLE.owner }
        const opened = await createAccount(tx, account, passwordHash)
        return { owner: opened.user, apiKey: opened.apiKey, id: tx.organizationId }
      })
      const domain = config.PARLEY_ROOT_DOMAIN ?? ROOT_DOMAIN
      const host = stringId === '' ? domain : `${stringId}.${domain}`
      const first = firstPosition ?? firstPositionOf(id)
      if (first > 0) await parley.database.transaction(async (db) => setLogStart(db, id, first))
      if ((await parley.useLogAt(host, (log) => log?.organization.id)) !== id)
        throw new Error('the organization that was just created is missing')
      return {
        id,
        host,
        owner: new TestUser(parley.url, host, owner.email, apiKey, owner.id),
        async user(fullName, { role = ROLE.member, bot } = {}) {
          const email = `${fullName.toLowerCase().replace(/[^a-z0-9]+/g, '.')}-${randomUUID().slice(0, 6)}@example.com`
          const account = {
            email,
            fullName,
            role,
            ...(bot === undefined ? {} : { botType: 1 }),
            ...(bot?.ownerId === undefined ? {} : { botOwnerId: bot.ownerId }),
          }
          const made = await parley.logs.use(id, async (log) => log.write((tx) => createAccount(tx, account, null)))
          return new TestUser(parley.url, host, email, made.apiKey, made.user.id)
        },
        async crowd(count) {
          return parley.logs.use(id, async (log) =>
            log.write(async (tx) => {
              const ids: number[] = []
              while (ids.length < count) {
                const email = `crowd-${randomUUID()}@example.com`
                const account = { email, fullName: `Person in the crowd ${ids.length}`, role: ROLE.member }
                ids.push((await createAccount(tx, account, null)).user.id)
              }
              return ids
            }),
          )
        },
      }
    },
    async close() {
      runningServers.delete(parley.url)
      await parley.close()
      writeSightings()
    },
  }
}

function firstPositionOf(organizationId: number): number {
  const file = expect.getState().testPath ?? ''
  const sum = Array.from(file).reduce((total, letter) => total + letter.charCodeAt(0), organizationId)
  return FIRST_POSITIONS[sum % FIRST_POSITIONS.length] ?? 0
}

export function useTestServer(environment: Record<string, string> = {}): () => TestServer {
  let server: TestServer | undefined
  beforeAll(async () => {
    server = await startTestServer(environment)
  })
  afterAll(async () => {
    try {
      if (server !== undefined) await expectProjectionsAsLoaded(server.parley)
    } finally {
      await server?.close()
    }
  })
  return () => {
    if (server === undefined) throw new Error('the server starts in beforeAll')
    return server
  }
}
