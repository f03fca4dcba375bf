import * as z from 'zod/mini'
import type { ClientState } from '../../../kernel/event.ts'
import { boolean, id, ids, integer, string } from '../../../kernel/schemas.ts'
import { PERMISSIONS, type GroupPermission } from './permissions.ts'

/** The most users, and the most groups, that a permission setting can name directly. Larger sets need a group. */
export const MAX_NAMED_IN_SETTING = 1_000

/** A permission setting: the id of a group, or an anonymous group given by its members. */
export const groupSettingValue = z.union([id, z.strictObject({ direct_members: ids, direct_subgroups: ids })])
export type GroupSettingValue = z.output<typeof groupSettingValue>

/** A change of a permission setting. `old` is the value that the client believes is set. */
export const groupSettingUpdate = z.strictObject({ new: groupSettingValue, old: z.optional(groupSettingValue) })
export type GroupSettingUpdate = z.output<typeof groupSettingUpdate>

export function groupPermissionFields<Field extends z.ZodMiniType>(field: Field): Record<GroupPermission, Field> {
  const names = Object.keys(PERMISSIONS.group)
  // Object.keys returns string[].
  return Object.fromEntries(names.map((name) => [name, field])) as Record<GroupPermission, Field>
}

export const userGroup = z.strictObject({
  id,
  name: string,
  description: string,
  creator_id: z.nullable(id),
  date_created: z.nullable(integer),
  members: ids,
  direct_subgroup_ids: ids,
  is_system_group: boolean,
  deactivated: boolean,
  ...groupPermissionFields(groupSettingValue),
})
export type UserGroup = z.output<typeof userGroup>

/** Whether a permission setting covers a user, judged by the groups that a client knows. */
export function isCoveredBy(groups: readonly UserGroup[], userId: number, value: GroupSettingValue): boolean {
  const seen = new Set<number>()
  const holds = (groupId: number): boolean => {
    const group = groups.find((candidate) => candidate.id === groupId)
    if (group === undefined || group.deactivated || seen.has(groupId)) return false
    seen.add(groupId)
    return group.members.includes(userId) || group.direct_subgroup_ids.some(holds)
  }
  if (typeof value === 'number') return holds(value)
  return value.direct_members.includes(userId) || value.direct_subgroups.some(holds)
}

/** The groups in a client's state. Empty unless the client asked for them. */
export function groupsOf(state: ClientState): UserGroup[] {
  // The register response has this field, as declared by this capability.
  return (state['realm_user_groups'] ?? []) as UserGroup[]
}
