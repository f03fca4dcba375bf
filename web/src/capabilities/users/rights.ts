import { store } from '../../platform/client.ts'
import { coversMe } from '../groups/state.ts'
import { ownId, userById } from './state.ts'

/** Whether one may write to a person directly; a person who is in none of the groups for that may write to bots and to themselves. */
export function mayWriteTo(userId: number): boolean {
  const person = userById(userId)
  if (person === undefined || !person.is_active) return false
  if (userId === ownId() || person.is_bot) return true
  return coversMe(store().read('realm_direct_message_permission_group'))
}
