import { z } from 'zod'
import { endpoint } from '../../../kernel/endpoint.ts'
import { event, type ClientState } from '../../../kernel/event.ts'
import { id } from '../../../kernel/parameters.ts'

/** A group, or an anonymous one given by its members: how every permission setting is written. */
export const groupSettingValue = z.union([
  id,
  z.strictObject({ direct_members: z.array(id), direct_subgroups: z.array(id) }),
])
export type GroupSettingValue = z.output<typeof groupSettingValue>

/** How a permission setting is changed: `old` is the value that the client believes it has. */
export const groupSettingUpdate = z.strictObject({ new: groupSettingValue, old: groupSettingValue.optional() })
export type GroupSettingUpdate = z.output<typeof groupSettingUpdate>

export const userGroup = z.strictObject({
  id,
  name: z.string(),
  description: z.string(),
  creator_id: id.nullable(),
  date_created: z.int().nullable(),
  members: z.array(id),
  direct_subgroup_ids: z.array(id),
  is_system_group: z.boolean(),
  deactivated: z.boolean(),
  can_add_members_group: groupSettingValue,
  can_join_group: groupSettingValue,
  can_leave_group: groupSettingValue,
  can_manage_group: groupSettingValue,
  can_mention_group: groupSettingValue,
  can_remove_members_group: groupSettingValue,
})
export type UserGroup = z.output<typeof userGroup>

export const getUserGroups = endpoint({
  id: 'getUserGroups',
  method: 'GET',
  path: '/user_groups',
  summary: 'List the groups of the organization.',
  since: 0,
  input: z.object({ include_deactivated_groups: z.boolean().default(false) }),
  output: z.object({ user_groups: z.array(userGroup) }),
  errors: [],
})

/** Whether a permission setting covers a user, by the groups that a client knows. */
export function isCoveredBy(groups: readonly UserGroup[], userId: number, value: GroupSettingValue): boolean {
  const seen = new Set<number>()
  const holds = (groupId: number): boolean => {
    const group = groups.find((candidate) => candidate.id === groupId)
    if (group === undefined || seen.has(groupId)) return false
    seen.add(groupId)
    return group.members.includes(userId) || group.direct_subgroup_ids.some(holds)
  }
  if (typeof value === 'number') return holds(value)
  return value.direct_members.includes(userId) || value.direct_subgroups.some(holds)
}

/** The groups in a client's state, when it asked for them. */
export function groupsOf(state: ClientState): UserGroup[] {
  // Put there by the register response, whose shape is this capability's own.
  return (state['realm_user_groups'] ?? []) as UserGroup[]
}

export const groupMembersAdded = event({
  type: 'user_group',
  op: 'add_members',
  summary: 'Users joined a group.',
  payload: z.strictObject({ group_id: id, user_ids: z.array(id) }),
  apply(state, { group_id, user_ids }) {
    const group = groupsOf(state).find((candidate) => candidate.id === group_id)
    if (group === undefined) return
    group.members = [...new Set([...group.members, ...user_ids])].toSorted((a, b) => a - b)
  },
})

export const groupMembersRemoved = event({
  type: 'user_group',
  op: 'remove_members',
  summary: 'Users left a group.',
  payload: z.strictObject({ group_id: id, user_ids: z.array(id) }),
  apply(state, { group_id, user_ids }) {
    const group = groupsOf(state).find((candidate) => candidate.id === group_id)
    if (group === undefined) return
    group.members = group.members.filter((member) => !user_ids.includes(member))
  },
})
