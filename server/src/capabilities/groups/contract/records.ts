import * as z from 'zod/mini'
import type { ClientState } from '../../../kernel/event.ts'
import { boolean, id, ids, integer, string } from '../../../kernel/schemas.ts'
import { PERMISSIONS, type GroupPermission } from './permissions.ts'

/** Applies to users and to subgroups separately. */
export const MAX_NAMED_IN_SETTING = 1_000

/** A group's ID or an anonymous group. */
export const groupSettingValue = z.union([id, z.strictObject({ direct_members: ids, direct_subgroups: ids })])
export type GroupSettingValue = z.output<typeof groupSettingValue>

/** `old` is the value that the client knows. */
export const groupSettingUpdate = z.strictObject({ new: groupSettingValue, old: z.optional(groupSettingValue) })
export type GroupSettingUpdate = z.output<typeof groupSettingUpdate>

export function groupPermissionFields<Field extends z.ZodMiniType>(field: Field): Record<GroupPermission, Field> {
  const names = Object.keys(PERMISSIONS.group)
  // `Object.keys` loses the key type.
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

/** Whether a permission setting covers a user, based on the client's state. */
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

/** Returns an empty list if the client did not request groups. */
export function groupsOf(state: ClientState): UserGroup[] {
  // The register response declares this field.
  return (state['realm_user_groups'] ?? []) as UserGroup[]
}
