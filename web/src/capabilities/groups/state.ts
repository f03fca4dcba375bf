import { groups } from '@parley/server/contract'
import { caseKey } from '@parley/server/kernel/case-key'
import { computed } from '@preact/signals'
import { store } from '../../platform/client.ts'
import { ownId } from '../users/state.ts'

/** @param value undefined for a permission that the server does not know yet, during an upgrade */
export function coversUser(userId: number, value: groups.GroupSettingValue | undefined): boolean {
  return value !== undefined && groups.isCoveredBy(store().read('realm_user_groups'), userId, value)
}

export function coversCurrentUser(value: groups.GroupSettingValue | undefined): boolean {
  return coversUser(ownId(), value)
}

const groupsByKey = computed(() => {
  const all = store().read('realm_user_groups')
  return new Map(all.map((group) => [caseKey(group.name), group]))
})

export function groupNamed(name: string): groups.UserGroup | undefined {
  return groupsByKey.value.get(caseKey(name))
}
