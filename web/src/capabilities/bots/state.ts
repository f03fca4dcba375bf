import type { users } from '@parley/server/contract'
import { store } from '../../platform/client.ts'
import { coversCurrentUser } from '../groups/state.ts'
import { isAdministrator, isOwner, ownId } from '../users/state.ts'

export type Bot = users.User

/** 1: full access; 2: incoming webhook, which can only write; 3: outgoing webhook. */
export type BotType = 1 | 2 | 3

export const OUTGOING_WEBHOOK: BotType = 3

const { compare } = new Intl.Collator()

/** Returns bots without their API keys, which must not be in the state, because browsers store it. */
export function managedBots(): readonly Bot[] {
  const byName = (bots: readonly Bot[]): readonly Bot[] =>
    bots.filter(mayManageBot).toSorted((one, other) => compare(one.full_name, other.full_name))
  return [...byName(store().read('realm_users')), ...byName(store().read('realm_non_active_users'))]
}

/** Mirrors the server's rule for changing a bot and reading its key. */
export function mayManageBot({ is_bot: isBot, bot_owner_id: ownerId, role }: Bot): boolean {
  if (!isBot) return false
  return ownerId === ownId() || (isAdministrator() && (isOwner() || role !== 100))
}

export function creatableBotTypes(): readonly BotType[] {
  if (store().read('is_guest')) return []
  if (coversCurrentUser(store().read('realm_can_create_bots_group'))) return [1, 2, OUTGOING_WEBHOOK]
  return coversCurrentUser(store().read('realm_can_create_write_only_bots_group')) ? [2] : []
}
