import { groups } from '@parley/server/contract'
import { store } from '../../platform/client.ts'
import { ownId } from '../users/state.ts'

export function covers(userId: number, value: groups.GroupSettingValue): boolean {
  return groups.isCoveredBy(store().read('realm_user_groups'), userId, value)
}

export function coversMe(value: groups.GroupSettingValue): boolean {
  return covers(ownId(), value)
}
