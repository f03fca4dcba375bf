import { store } from '../../platform/client.ts'
import { coversUser } from '../groups/state.ts'
import { ownId, userById } from './state.ts'

/** Everyone can write to bots and to themselves. In other conversations, one participant must have the permission. */
export function mayWriteTo(userIds: readonly number[]): boolean {
  const people = userIds.map(userById)
  if (people.some((person) => person?.is_active !== true)) return false
  const others = userIds.filter((id) => id !== ownId())
  if (others.every((id) => userById(id)?.is_bot === true)) return true
  const allowed = store().read('realm_direct_message_permission_group')
  return [ownId(), ...others].some((id) => coversUser(id, allowed))
}
