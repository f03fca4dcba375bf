import { computed } from '@preact/signals'
import type { groups } from '@parley/server/contract'
import type { GrantingRule } from '../../kernel/state.ts'
import { t } from '../../kernel/strings.ts'
import { store } from '../../platform/client.ts'

/** Groups that people made, by name. */
export const ownGroups = computed((): readonly groups.UserGroup[] =>
  store()
    .read('realm_user_groups')
    .filter((group) => !group.is_system_group && !group.deactivated)
    .toSorted((one, other) => one.name.localeCompare(other.name)),
)

/** All groups that a permission may name, the wider ones of the organization first. */
export function groupsToGrant({
  allow_nobody_group,
  allow_everyone_group,
  allow_internet_group,
  require_system_group,
  allowed_system_groups: allowed,
}: GrantingRule): readonly groups.UserGroup[] {
  const system = store()
    .read('realm_user_groups')
    .filter(({ name, is_system_group }) => {
      if (!is_system_group) return false
      if (name === 'role:nobody') return allow_nobody_group
      if (name === 'role:everyone') return allow_everyone_group
      if (name === 'role:internet') return allow_internet_group
      return allowed.length === 0 || allowed.includes(name)
    })
  return [...system, ...(require_system_group ? [] : ownGroups.value)]
}

/** What a group is called; those of every organization in one's own language. */
export function groupName({ name, is_system_group }: groups.UserGroup): string {
  const names: Readonly<Record<string, string>> = t().groups
  return is_system_group ? (names[name.slice('role:'.length)] ?? name) : name
}

/** Everybody in a group, through the groups in it. */
export function membersOf(group: groups.UserGroup): readonly number[] {
  const all = store().read('realm_user_groups')
  const seen = new Set<number>()
  const members = new Set<number>()
  const add = (one: groups.UserGroup): void => {
    if (seen.has(one.id)) return
    seen.add(one.id)
    for (const id of one.members) members.add(id)
    for (const id of one.direct_subgroup_ids) {
      const inner = all.find((other) => other.id === id)
      if (inner !== undefined) add(inner)
    }
  }
  add(group)
  return [...members]
}
