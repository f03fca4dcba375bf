import { store } from '../../platform/client.ts'
import { covers } from '../groups/state.ts'
import { ownId, userById } from './state.ts'

/** Whether one may write to these people directly: to bots and to oneself always, else where one of all may write directly. */
export function mayWriteTo(userIds: readonly number[]): boolean {
  const people = userIds.map(userById)
  if (people.some((person) => person?.is_active !== true)) return false
  const others = userIds.filter((id) => id !== ownId())
  if (others.every((id) => userById(id)?.is_bot === true)) return true
  const allowed = store().read('realm_direct_message_permission_group')
  return [ownId(), ...others].some((id) => covers(id, allowed))
}
