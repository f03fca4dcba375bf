import type { users } from '@parley/server/contract'
import { store } from '../../platform/client.ts'
import { coversMe } from '../groups/state.ts'
import { isAdministrator, isOwner, ownId } from '../users/state.ts'

export type Bot = users.User

/** What a bot may do: everything, only write, or answer what is said to it from an address elsewhere. */
export type Kind = 1 | 2 | 3

/** The kind of bots that are sent what is said to them. */
export const OUTGOING: Kind = 3

const { compare } = new Intl.Collator()

/** The bots that one manages, by name; those that are deactivated last. The keys of bots are no part of the state, which browsers keep. */
export function managedBots(): readonly Bot[] {
  const byName = (bots: readonly Bot[]): readonly Bot[] =>
    bots.filter(mayManage).toSorted((one, other) => compare(one.full_name, other.full_name))
  return [...byName(store().read('realm_users')), ...byName(store().read('realm_non_active_users'))]
}

/** Whether one may change a bot and have its key, by the rules of the server. */
export function mayManage({ is_bot: isBot, bot_owner_id: ownerId, role }: Bot): boolean {
  if (!isBot) return false
  return ownerId === ownId() || (isAdministrator() && (isOwner() || role !== 100))
}

/** The kinds of bots that one may make. */
export function kindsToMake(): readonly Kind[] {
  if (store().read('is_guest')) return []
  if (coversMe(store().read('realm_can_create_bots_group'))) return [1, 2, OUTGOING]
  return coversMe(store().read('realm_can_create_write_only_bots_group')) ? [2] : []
}
