import { findOrganization } from '../capabilities/organizations/queries.ts'
import { usersFold, type UserRow } from '../capabilities/users/queries.ts'
import type { Config } from '../config.ts'
import { ROLE } from '../kernel/actor.ts'
import { serverFacts, type Parley, type Store } from '../start.ts'
import { VERSION } from '../version.ts'
import { orComplain, type Terminal } from './command.ts'
import { FIRST_CHANNEL, foundOrganization, type Founding } from './founding.ts'
import { choosePassword } from './password.ts'
import { linesToPaste, shellWord } from './paste.ts'

/** The organization without a subdomain; its owner's API key only when it was just made. */
export interface FirstOrganization {
  readonly id: number
  readonly name: string
  readonly apiKey?: string
}

/** Finds the organization that every server has, or makes it and says so. */
export async function firstOrganization(store: Store, config: Config, terminal: Terminal): Promise<FirstOrganization> {
  const found = await findOrganization(store.database.kysely, '')
  if (found !== undefined) {
    // While the server is made.
    store.open(found, '')
    return found
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
  const facts = serverFacts(config, store.queues)
  const making = orComplain(foundOrganization(store.logs, facts, founding), 'Cannot make the organization')
  const made = await making.catch(async (error: unknown) => {
    // Another server, starting on the same database, may have been faster.
    if ((await findOrganization(store.database.kysely, '')) === undefined) throw error
    return undefined
  })
  const organization = await findOrganization(store.database.kysely, '')
  if (organization === undefined) throw new Error('the organization just made is not there')
  if (made === undefined) return organization
  terminal.print(`Made the organization ${founding.name} with the channel ${FIRST_CHANNEL}.`)
  // At once: nobody can ask for it again should the rest of the start fail.
  if (chosenPassword !== undefined) {
    terminal.print(`The password of ${founding.owner.email} is ${chosenPassword}. It is shown only now.`)
  }
  terminal.print('')
  return { ...organization, apiKey: made.apiKey }
}

/** What the person who started the server wants to know first: who asks there waits at most for the organization. */
export function servedAt({ name }: FirstOrganization, parley: Parley): string {
  return `Parley ${VERSION} serves ${name} at ${parley.urlAt('')}`
}

/** What they want to know besides. Secrets are in it only when they were just made. */
export async function welcome({ id, apiKey }: FirstOrganization, parley: Parley, database: string): Promise<string> {
  const { world } = await parley.logs.of(id)
  const owner = ownerOf([...world.of(usersFold).byId.values()])
  const lines = [
    `Database   ${database}`,
    `Owner      ${owner === undefined ? 'nobody' : `${owner.fullName}, ${owner.email}`}`,
  ]
  if (parley.facts.development) {
    lines.push('Warning    PARLEY_DEVELOPMENT is on: whoever reaches this server can log in as anybody.')
  }
  if (owner !== undefined && apiKey === undefined) {
    lines.push(`API key    npx parley user api-key ${shellWord(owner.email)}`)
  }
  if (owner !== undefined && apiKey !== undefined)
    lines.push('', ...linesToPaste(parley.urlAt(''), owner.email, apiKey))
  return [...lines, '', 'Ctrl-C stops it.'].join('\n')
}

/** Who has owned it for the longest time. */
function ownerOf(users: readonly UserRow[]): UserRow | undefined {
  return users.find((user) => user.role === ROLE.owner && user.isActive && user.botType === null)
}
