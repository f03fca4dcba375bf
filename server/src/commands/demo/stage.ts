import { openAccount } from '../../capabilities/users/actions/accounts.ts'
import { hashNewPassword } from '../../capabilities/authentication/actions.ts'
import { findOrganization } from '../../capabilities/organizations/queries/index.ts'
import type { Config } from '../../config.ts'
import { serverFacts, type Store } from '../../start.ts'
import { foundOrganization } from '../founding.ts'
import { emailOf, firstNameOf, MEMBERS, ORGANIZATION, OWNER, type Member } from './team.ts'

/** A member with an account. */
export interface Player extends Member {
  readonly email: string
  readonly userId: number
  readonly apiKey: string
}

/** By first name. */
export type Cast = ReadonlyMap<string, Player>

/** Makes the organization and everybody in it; people share one password. */
export async function castFor(store: Store, config: Config, password: string): Promise<Cast> {
  const cast = new Map<string, Player>()
  const enter = (member: Member, userId: number, apiKey: string): void =>
    void cast.set(firstNameOf(member), { ...member, email: emailOf(member), userId, apiKey })

  const owner = { fullName: OWNER.fullName, email: emailOf(OWNER), password }
  const founded = await foundOrganization(store.logs, serverFacts(config, store), {
    stringId: '',
    name: ORGANIZATION,
    owner,
  })
  enter(OWNER, founded.owner.id, founded.apiKey)

  const log = await store.logs.of((await findOrganization(store.database.kysely, ''))?.id ?? 0)
  // Hashing is slow on purpose; once is enough where all have the same password.
  const passwordHash = await hashNewPassword(password)
  for (const member of MEMBERS) {
    const bot = member.botOf === undefined ? {} : { botType: 1, botOwnerId: player(cast, member.botOf).userId }
    const account = { email: emailOf(member), fullName: member.fullName, role: member.role, ...bot }
    const { user, apiKey } = await log.write((tx) =>
      openAccount(tx, account, member.botOf === undefined ? passwordHash : null),
    )
    enter(member, user.id, apiKey)
  }
  return cast
}

export function player(cast: Cast, firstName: string): Player {
  const found = cast.get(firstName)
  if (found === undefined) throw new Error(`nobody is called ${firstName}`)
  return found
}
