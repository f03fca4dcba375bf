import { ROLE } from '../../kernel/actor.ts'
import type { UserRow } from '../users/queries/index.ts'

/** People must be reachable by those who moderate, and by the server. A role also suspends earlier blocks. */
export function canBeBlocked({ role, isSystemBot }: UserRow): boolean {
  return role > ROLE.moderator && !isSystemBot
}
