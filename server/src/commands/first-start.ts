import { findOrganization } from '../capabilities/organizations/queries/index.ts'
import { usersProjection, type UserRow } from '../capabilities/users/queries/index.ts'
import type { Config } from '../config.ts'
import { ROLE } from '../kernel/actor.ts'
import { serverFacts, type Parley, type Store } from '../start.ts'
import { VERSION } from '../version.ts'
import { orComplain, type Terminal } from './command.ts'
import { FIRST_CHANNEL, foundOrganization, type Founding } from './founding.ts'
import { choosePassword } from './password.ts'
import { linesToPaste, shellWord } from './paste.ts'

/** The organization without a subdomain. */
export interface FirstOrganization {
  readonly id: number
  readonly name: string
  /** Whether this start made it. */
  readonly isNew: boolean
  /** Of the owner, when it was just made and a person reads what is printed. */
  readonly apiKey?: string
}

/** Finds the organization that every server has, or makes it and says so. */
export async function firstOrganization(store: Store, config: Config, terminal: Terminal): Promise<FirstOrganization> {
  const found = await findOrganization(store.database.kysely, '')
  if (found !== undefined) {
    // While the server is made.
    store.open(found, '')
    return { ...found, isNew: false }
  }
  const chosenPassword = config.PARLEY_OWNER_PASSWORD === undefined ? choosePassword() : undefined
  const founding: Founding = {
    stringId: '',
    name: config.PARLEY_ORGANIZATION ?? 'My organization',
    owner: {
      fullName: config.PARLEY_OWNER_NAME ?? 'Owner',
      email: config.PARLEY_OWNER_EMAIL ?? 'owner@localhost',
      password: config.PARLEY_OWNER_PASSWORD ?? chosenPassword ?? '',
    },
  }
  const facts = serverFacts(config, store)
  const making = orComplain(foundOrganization(store.logs, facts, founding), 'Cannot make the organization')
  const made = await making.catch(async (error: unknown) => {
    // Another server, starting on the same database, may have been faster.
    if ((await findOrganization(store.database.kysely, '')) === undefined) throw error
    return undefined
  })
  const organization = await findOrganization(store.database.kysely, '')
  if (organization === undefined) throw new Error('the organization just made is not there')
  if (made === undefined) return { ...organization, isNew: false }
  terminal.print(`Made the organization ${founding.name} with the channel ${FIRST_CHANNEL}.`)
  // At once, since it cannot be asked for again should the rest of the start fail.
  if (chosenPassword !== undefined) terminal.print(passwordOf(founding.owner.email, chosenPassword, terminal))
  terminal.print('')
  return { ...organization, isNew: true, ...(terminal.isInteractive ? { apiKey: made.apiKey } : {}) }
}

function passwordOf(email: string, password: string, { isInteractive }: Terminal): string {
  return isInteractive
    ? `The password of ${email} is ${password}. It is shown only now.`
    : `No password of ${email} is shown here, where it may be kept. Choose one: npx parley user password ${shellWord(email)}`
}

/** What the person who started the server wants to know first. */
export function servedAt({ name }: FirstOrganization, parley: Parley): string {
  return `Parley ${VERSION} serves ${name} at ${parley.urlAt('')}`
}

/** What they want to know besides. Secrets are in it only when they were just made. */
export async function welcome(
  { id, isNew, apiKey }: FirstOrganization,
  parley: Parley,
  database: string,
): Promise<string> {
  const { organization } = await parley.logs.of(id)
  const owner = ownerOf([...organization.of(usersProjection).byId.values()])
  const lines = [
    `Database   ${database}`,
    `Owner      ${owner === undefined ? 'nobody' : `${owner.fullName}, ${owner.email}`}`,
  ]
  if (parley.facts.development) {
    lines.push('Warning    PARLEY_DEVELOPMENT is on: whoever reaches this server can log in as anybody.')
  }
  if (owner !== undefined && !isNew) {
    lines.push(`API key    npx parley user api-key ${shellWord(owner.email)}`)
  }
  if (owner !== undefined && isNew) lines.push('', ...linesToPaste(parley.urlAt(''), owner.email, apiKey))
  return [...lines, '', 'Ctrl-C stops it.'].join('\n')
}

/** Who has owned it for the longest time. */
function ownerOf(users: readonly UserRow[]): UserRow | undefined {
  return users.find((user) => user.role === ROLE.owner && user.isActive && user.botType === null)
}
