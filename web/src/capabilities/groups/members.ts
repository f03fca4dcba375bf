import { computed } from '@preact/signals'
import { groups } from '@parley/server/contract'
import type { GrantingRule } from '../../kernel/state.ts'
import { tl } from '../../kernel/later-texts.ts'
import { store } from '../../platform/client.ts'
import { coversCurrentUser } from './state.ts'

export const ownGroups = computed((): readonly groups.UserGroup[] =>
  store()
    .read('realm_user_groups')
    .filter((group) => !group.is_system_group && !group.deactivated)
    .toSorted((one, other) => one.name.localeCompare(other.name)),
)

const groupsById = computed(
  () =>
    new Map(
      store()
        .read('realm_user_groups')
        .map((group) => [group.id, group]),
    ),
)

export function groupById(id: number): groups.UserGroup | undefined {
  return groupsById.value.get(id)
}

/** Subscribes explicitly, because events change the group in place. */
export function useGroup(id: number): groups.UserGroup | undefined {
  void store().read('realm_user_groups')
  return groupById(id)
}

export function grantableGroups(
  permission: string,
  {
    allow_nobody_group,
    allow_everyone_group,
    allow_internet_group,
    require_system_group,
    allowed_system_groups: allowed,
  }: GrantingRule,
): readonly groups.UserGroup[] {
  const system = store()
    .read('realm_user_groups')
    .filter(({ name, is_system_group }) => {
      if (!is_system_group || groups.FORBIDDEN_GROUP_BY_SETTING[permission] === name) return false
      if (name === 'role:nobody') return allow_nobody_group
      if (name === 'role:everyone') return allow_everyone_group
      if (name === 'role:internet') return allow_internet_group
      return allowed.length === 0 || allowed.includes(name)
    })
  return [...system, ...(require_system_group ? [] : ownGroups.value)]
}

export function groupName({ name, is_system_group }: groups.UserGroup): string {
  const names: Readonly<Record<string, string>> = tl().groups
  return is_system_group ? (names[name.slice('role:'.length)] ?? name) : name
}

function withSubgroups(group: groups.UserGroup): readonly groups.UserGroup[] {
  const all = store().read('realm_user_groups')
  const found = new Set([group])
  // Iterating over a Set also visits items added during the iteration.
  for (const { direct_subgroup_ids: ids } of found) {
    for (const id of ids) {
      const inner = all.find((other) => other.id === id)
      if (inner !== undefined) found.add(inner)
    }
  }
  return [...found]
}

export function isSubgroupOf(group: groups.UserGroup, outer: groups.UserGroup): boolean {
  return withSubgroups(outer).includes(group)
}

export function membersOf(group: groups.UserGroup): readonly number[] {
  return [...new Set(withSubgroups(group).flatMap(({ members }) => members))]
}

/** Requires permission for all subgroups, too, because a mention notifies their members. */
export function mayMentionGroup(group: groups.UserGroup): boolean {
  return withSubgroups(group).every((one) => {
    if (!one.is_system_group) return coversCurrentUser(one.can_mention_group)
    return one !== group && coversCurrentUser(store().read('realm_can_mention_many_users_group'))
  })
}
