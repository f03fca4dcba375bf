import { createAccount } from '../../capabilities/users/actions/accounts.ts'
import { hashNewPassword } from '../../capabilities/authentication/actions/index.ts'
import { markAllOnboardingStepsAsRead } from '../../capabilities/onboarding/actions.ts'
import { makeLoginLink } from '../../capabilities/sessions/actions/index.ts'
import { knownUser } from '../../capabilities/users/rules/index.ts'
import { findOrganization } from '../../capabilities/organizations/queries/index.ts'
import type { Config } from '../../config.ts'
import { serverFacts } from '../../server-from-config.ts'
import type { Store } from '../../start.ts'
import { makeOrganization } from '../founding.ts'
import { emailOf, firstNameOf, MEMBERS, ORGANIZATION_NAME, OWNER, type Member } from './team.ts'

const LINK_LIFETIME_SECONDS = 86_400

export interface Player extends Member {
  readonly email: string
  readonly userId: number
  readonly apiKey: string
  /** Link that signs in to the web client; undefined for bots, which have no session. */
  readonly link?: string
}

export type Cast = ReadonlyMap<string, Player>

export async function createCast(store: Store, config: Config, password: string): Promise<Cast> {
  const cast = new Map<string, Player>()
  const enter = (member: Member, userId: number, apiKey: string, link?: string): void => {
    const known = { ...member, email: emailOf(member), userId, apiKey }
    cast.set(firstNameOf(member), link === undefined ? known : { ...known, link })
  }

  const owner = { fullName: OWNER.fullName, email: emailOf(OWNER), password }
  const founding = { stringId: '', name: ORGANIZATION_NAME, owner }
  const founded = await makeOrganization(serverFacts(config, store), founding)
  const log = await store.logs.of((await findOrganization(store.database.kysely, ''))?.id ?? 0)
  // Reusable, because people open these links repeatedly, in several browsers.
  const terms = { seconds: LINK_LIFETIME_SECONDS, isReusable: true }
  const ownersLink = await log.write((tx) => makeLoginLink(tx, knownUser(tx.organization, founded.owner.id), terms))
  enter(OWNER, founded.owner.id, founded.apiKey, ownersLink)
  await log.write((tx) => markAllOnboardingStepsAsRead(tx, founded.owner.id))

  // Hashed only once, because hashing is intentionally slow.
  const passwordHash = await hashNewPassword(password)
  for (const member of MEMBERS) {
    const bot = member.botOf === undefined ? {} : { botType: 1, botOwnerId: findPlayer(cast, member.botOf).userId }
    const account = { email: emailOf(member), fullName: member.fullName, role: member.role, ...bot }
    const { user, apiKey } = await log.write((tx) =>
      createAccount(tx, account, member.botOf === undefined ? passwordHash : null),
    )
    const isPerson = member.botOf === undefined
    if (isPerson) await log.write((tx) => markAllOnboardingStepsAsRead(tx, user.id))
    const link = isPerson ? await log.write((tx) => makeLoginLink(tx, user, terms)) : undefined
    enter(member, user.id, apiKey, link)
  }
  return cast
}

export function findPlayer(cast: Cast, firstName: string): Player {
  const found = cast.get(firstName)
  if (found === undefined) throw new Error(`nobody is called ${firstName}`)
  return found
}
