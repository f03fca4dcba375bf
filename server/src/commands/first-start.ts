import { findOrganization } from '../capabilities/organizations/queries/index.ts'
import { makeSetupLink, SETUP_PATH } from '../capabilities/setup/actions.ts'
import { usersProjection, type UserRow } from '../capabilities/users/queries/index.ts'
import type { Config } from '../config.ts'
import { ROLE } from '../kernel/actor.ts'
import { serverFacts } from '../server-from-config.ts'
import type { Parley, Store } from '../start.ts'
import { VERSION } from '../version.ts'
import { CliError, toCliError, type Terminal } from './command.ts'
import { FIRST_CHANNEL, makeOrganization } from './founding.ts'
import { requireFreePort } from './serving.ts'
import { keyCommand, curlCommandLines } from './paste.ts'

/** The organization without a subdomain or, if none exists yet, the token of its setup link. */
export type FirstOrganization = ServedOrganization | { readonly setupToken: string }

interface ServedOrganization {
  readonly id: number
  readonly name: string
  readonly isNew: boolean
  /** Set if the organization was just created and stdout is a terminal. */
  readonly apiKey?: string
}

/** Finds the organization without a subdomain, creates it from the environment, or creates a setup link. */
export async function findOrCreateFirstOrganization(
  store: Store,
  config: Config,
  terminal: Terminal,
): Promise<FirstOrganization> {
  const found = await findOrganization(store.database.kysely, '')
  if (found !== undefined) {
    // Starts opening the organization's log before the first request needs it.
    store.open(found, '')
    return { ...found, isNew: false }
  }
  const { PARLEY_OWNER_PASSWORD: password, PARLEY_ORGANIZATION: name } = config
  if (password !== undefined) return createConfiguredOrganization(store, config, password, terminal)
  for (const variable of ['PARLEY_OWNER_NAME', 'PARLEY_OWNER_EMAIL'] as const) {
    if (config[variable] === undefined) continue
    throw new CliError(
      `PARLEY_OWNER_PASSWORD: is required with ${variable}. To set up the owner in a browser, unset both.`,
    )
  }
  return { setupToken: await store.database.transaction(async (db) => makeSetupLink(db, '', name ?? '')) }
}

async function createConfiguredOrganization(
  store: Store,
  config: Config,
  password: string,
  terminal: Terminal,
): Promise<ServedOrganization> {
  // Checks the port before creating the organization, whose details are printed only once.
  await requireFreePort(config)
  const name = config.PARLEY_ORGANIZATION ?? 'My organization'
  const owner = {
    fullName: config.PARLEY_OWNER_NAME ?? 'Owner',
    email: config.PARLEY_OWNER_EMAIL ?? 'owner@localhost',
    password,
  }
  const making = makeOrganization(serverFacts(config, store), { stringId: '', name, owner })
  const made = await toCliError(making, 'Cannot create the organization').catch(async (error: unknown) => {
    // Another server that is starting on the same database may have created the organization first.
    if ((await findOrganization(store.database.kysely, '')) === undefined) throw error
    return undefined
  })
  const organization = await findOrganization(store.database.kysely, '')
  if (organization === undefined) throw new Error('the organization that was just created is missing')
  if (made === undefined) return { ...organization, isNew: false }
  terminal.print(`Created organization ${name} with the channel ${FIRST_CHANNEL}.\n`)
  return { ...organization, isNew: true, ...(terminal.isInteractive ? { apiKey: made.apiKey } : {}) }
}

export function startNotice(first: FirstOrganization, parley: Parley): string {
  const what = 'setupToken' in first ? 'is waiting for its first owner' : `is serving ${first.name}`
  return `Parley ${VERSION} ${what} at ${parley.urlAt('')}`
}

/** Returns the text that a starting server prints. It includes lasting secrets only for a new organization. */
export async function welcomeText(
  first: FirstOrganization,
  parley: Parley,
  database: string,
  program: string,
): Promise<string> {
  const about =
    'setupToken' in first ? setupLines(first.setupToken, parley) : await organizationLines(first, parley, program)
  const warning = parley.facts.development
    ? ['Warning    PARLEY_DEVELOPMENT is on. Everyone who reaches this server can sign in to every account.']
    : []
  return [`Database   ${database}`, ...warning, ...about, '', 'Press Ctrl-C to stop.'].join('\n')
}

function setupLines(token: string, parley: Parley): string[] {
  return [
    `Set up     ${parley.urlAt('')}${SETUP_PATH}${token}`,
    '           Open this link in a browser. It works once, for one hour. Restart to get a new one.',
  ]
}

async function organizationLines(
  { id, isNew, apiKey }: ServedOrganization,
  parley: Parley,
  program: string,
): Promise<string[]> {
  const owner = await parley.logs.use(id, ({ organization }) =>
    findOwner([...organization.of(usersProjection).byId.values()]),
  )
  if (owner === undefined) return ['Owner      none']
  const lines = [`Owner      ${owner.fullName}, ${owner.email}`]
  return isNew
    ? [...lines, '', ...curlCommandLines(parley.urlAt(''), owner.email, apiKey ?? { program })]
    : [...lines, `API key    ${keyCommand(program, owner.email)}`]
}

function findOwner(users: readonly UserRow[]): UserRow | undefined {
  return users.find((user) => user.role === ROLE.owner && user.isActive && user.botType === null)
}
