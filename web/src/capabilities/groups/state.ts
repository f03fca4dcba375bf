import { groups } from '@parley/server/contract'
import { caseKey } from '@parley/server/kernel/case-key'
import { computed } from '@preact/signals'
import { store } from '../../platform/client.ts'
import { ownId } from '../users/state.ts'

export function coversUser(userId: number, value: groups.GroupSettingValue): boolean {
  return groups.isCoveredBy(store().read('realm_user_groups'), userId, value)
}

export function coversCurrentUser(value: groups.GroupSettingValue): boolean {
  return coversUser(ownId(), value)
}

const groupsByKey = computed(() => {
  const all = store().read('realm_user_groups')
  return new Map(all.map((group) => [caseKey(group.name), group]))
})

export function groupNamed(name: string): groups.UserGroup | undefined {
  return groupsByKey.value.get(caseKey(name))
}
