import * as z from 'zod/mini'
import { event, type ClientState } from '../../../kernel/event.ts'
import { boolean, composedText, idInRequest, id, ids, integer, nothing, string, text } from '../../../kernel/schemas.ts'
import { PERMISSIONS, type GroupPermission } from './permissions.ts'
import { endpoint } from '../../../kernel/endpoint.ts'
import type { Limit } from '../../../kernel/limits.ts'
import { keysOf, recordWith } from '../../../kernel/keys.ts'

export * from './permissions.ts'

/** The limit applies to users and to subgroups separately. */
export const MAX_SETTING_MEMBERS = 1_000

export const groupSettingValue = z.union([id, z.strictObject({ direct_members: ids, direct_subgroups: ids })])
export type GroupSettingValue = z.output<typeof groupSettingValue>

/** `old` is the value that the client knows. */
export const groupSettingUpdate = z.strictObject({ new: groupSettingValue, old: z.optional(groupSettingValue) })
export type GroupSettingUpdate = z.output<typeof groupSettingUpdate>

export function groupPermissionFields<Field extends z.ZodMiniType>(field: Field): Record<GroupPermission, Field> {
  return recordWith(keysOf(PERMISSIONS.group), () => field)
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

declare module '../../../kernel/event.ts' {
  interface StateFields {
    realm_user_groups: UserGroup[]
  }
}

/** Returns an empty list if the client did not request groups. */
export function groupsOf(state: ClientState): UserGroup[] {
  return state['realm_user_groups'] ?? []
}

/** In code points. */
export const MAX_GROUP_NAME_LENGTH = 100
export const MAX_GROUP_DESCRIPTION_LENGTH = 1_024

export const getUserGroups = endpoint({
  id: 'getUserGroups',
  method: 'GET',
  path: '/user_groups',
  summary: 'List user groups.',
  since: 0,
  forTokens: 'reading',
  input: z.object({ include_deactivated_groups: z._default(boolean, false) }),
  output: z.object({ user_groups: z.array(userGroup) }),
  errors: [],
})

export const getUserGroupMembers = endpoint({
  id: 'getUserGroupMembers',
  method: 'GET',
  path: '/user_groups/:user_group_id/members',
  summary: "List a group's members, including those of its subgroups.",
  since: 127,
  forTokens: 'reading',
  input: z.object({ user_group_id: id, direct_member_only: z._default(boolean, false) }),
  output: z.object({ members: ids }),
  errors: ['BAD_REQUEST'],
})

export const getUserGroupSubgroups = endpoint({
  id: 'getUserGroupSubgroups',
  method: 'GET',
  path: '/user_groups/:user_group_id/subgroups',
  summary: "List a group's subgroups, including nested ones.",
  since: 127,
  forTokens: 'reading',
  input: z.object({ user_group_id: id, direct_subgroup_only: z._default(boolean, false) }),
  output: z.object({ subgroups: ids }),
  errors: ['BAD_REQUEST'],
})

export const GROUP_LIMIT: Limit = { most: 1_000, per: 'creator', what: 'user groups, including deactivated ones' }

const groupName = composedText(MAX_GROUP_NAME_LENGTH)
const groupDescription = text(MAX_GROUP_DESCRIPTION_LENGTH)

/** Limits each list of members or subgroups that a request adds or removes. */
export const MAX_MEMBERS_AT_ONCE = 10_000
const membersAtOnce = z.array(id).check(z.maxLength(MAX_MEMBERS_AT_ONCE))

export const createUserGroup = endpoint({
  id: 'createUserGroup',
  method: 'POST',
  path: '/user_groups/create',
  summary: 'Create a user group with members and subgroups.',
  since: 0,
  input: z.object({
    name: groupName,
    description: groupDescription,
    members: z.array(idInRequest).check(z.maxLength(MAX_MEMBERS_AT_ONCE)),
    subgroups: z._default(z.array(idInRequest).check(z.maxLength(MAX_MEMBERS_AT_ONCE)), []),
    ...groupPermissionFields(z.optional(groupSettingValue)),
  }),
  output: z.object({ group_id: id }),
  errors: ['BAD_REQUEST'],
})

export const updateUserGroup = endpoint({
  id: 'updateUserGroup',
  method: 'PATCH',
  path: '/user_groups/:user_group_id',
  summary: 'Update, deactivate, or reactivate a user group.',
  since: 0,
  input: z.object({
    user_group_id: id,
    name: z.optional(groupName),
    description: z.optional(groupDescription),
    deactivated: z.optional(boolean),
    ...groupPermissionFields(z.optional(groupSettingUpdate)),
  }),
  output: nothing,
  errors: ['BAD_REQUEST', 'EXPECTATION_MISMATCH', 'CANNOT_DEACTIVATE_GROUP_IN_USE'],
})

export const updateUserGroupMembers = endpoint({
  id: 'updateUserGroupMembers',
  method: 'POST',
  path: '/user_groups/:user_group_id/members',
  summary: 'Add or remove members and subgroups of a user group.',
  since: 0,
  input: z.object({
    user_group_id: id,
    add: z._default(membersAtOnce, []),
    delete: z._default(membersAtOnce, []),
    add_subgroups: z._default(membersAtOnce, []),
    delete_subgroups: z._default(membersAtOnce, []),
  }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const updateUserGroupSubgroups = endpoint({
  id: 'updateUserGroupSubgroups',
  method: 'POST',
  path: '/user_groups/:user_group_id/subgroups',
  summary: 'Add or remove subgroups of a user group.',
  since: 127,
  input: z.object({ user_group_id: id, add: z._default(membersAtOnce, []), delete: z._default(membersAtOnce, []) }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const deactivateUserGroup = endpoint({
  id: 'deactivateUserGroup',
  method: 'POST',
  path: '/user_groups/:user_group_id/deactivate',
  summary: 'Deactivate a user group. It can no longer be mentioned, joined, or used for permissions.',
  since: 290,
  input: z.object({ user_group_id: id }),
  output: nothing,
  errors: ['BAD_REQUEST', 'CANNOT_DEACTIVATE_GROUP_IN_USE'],
})

export const getIsUserGroupMember = endpoint({
  id: 'getIsUserGroupMember',
  method: 'GET',
  path: '/user_groups/:user_group_id/members/:user_id',
  summary: 'Check whether a user is a member of a group, directly or through subgroups.',
  since: 127,
  forTokens: 'reading',
  input: z.object({ user_group_id: id, user_id: id, direct_member_only: z._default(boolean, false) }),
  output: z.object({ is_user_group_member: boolean }),
  errors: ['BAD_REQUEST'],
})

function findGroup(state: ClientState, groupId: number): UserGroup | undefined {
  return groupsOf(state).find((group) => group.id === groupId)
}

function mergeIds(some: readonly number[], more: readonly number[]): number[] {
  return [...new Set([...some, ...more])].toSorted((a, b) => a - b)
}

export const groupAdded = event({
  type: 'user_group',
  op: 'add',
  summary:
    'A user group was created. Clients without support for deactivated groups also get it for a reactivated one.',
  payload: z.strictObject({ group: userGroup }),
  touches: ['realm_user_groups'],
  apply(state, { group }) {
    if (state['realm_user_groups'] === undefined || findGroup(state, group.id) !== undefined) return
    state['realm_user_groups'] = [...groupsOf(state), group].toSorted((a, b) => a.id - b.id)
  },
})

const groupUpdate = z.strictObject({
  name: z.optional(string),
  description: z.optional(string),
  deactivated: z.optional(boolean),
  ...groupPermissionFields(z.optional(groupSettingValue)),
})
export type GroupUpdate = z.output<typeof groupUpdate>

export const groupUpdated = event({
  type: 'user_group',
  op: 'update',
  summary: "A user group's name, description, settings, or deactivation changed.",
  payload: z.strictObject({ group_id: id, data: groupUpdate }),
  touches: ['realm_user_groups'],
  apply(state, { group_id, data }) {
    Object.assign(findGroup(state, group_id) ?? {}, data)
  },
})

export const groupRemoved = event({
  type: 'user_group',
  op: 'remove',
  summary: 'A user group was deactivated. For clients without support for deactivated groups.',
  payload: z.strictObject({ group_id: id }),
  touches: ['realm_user_groups'],
  apply(state, { group_id }) {
    if (findGroup(state, group_id) === undefined) return
    state['realm_user_groups'] = groupsOf(state).filter((group) => group.id !== group_id)
  },
})

const membersPayload = z.strictObject({ group_id: id, user_ids: ids })

export const groupMembersAdded = event({
  type: 'user_group',
  op: 'add_members',
  summary: 'Users joined a group.',
  payload: membersPayload,
  touches: ['realm_user_groups'],
  apply(state, { group_id, user_ids }) {
    const group = findGroup(state, group_id)
    if (group !== undefined) group.members = mergeIds(group.members, user_ids)
  },
})

export const groupMembersRemoved = event({
  type: 'user_group',
  op: 'remove_members',
  summary: 'Users left a group.',
  payload: membersPayload,
  touches: ['realm_user_groups'],
  apply(state, { group_id, user_ids }) {
    const group = findGroup(state, group_id)
    if (group !== undefined) group.members = group.members.filter((member) => !user_ids.includes(member))
  },
})

const subgroupsPayload = z.strictObject({ group_id: id, direct_subgroup_ids: ids })

export const subgroupsAdded = event({
  type: 'user_group',
  op: 'add_subgroups',
  summary: 'Subgroups were added to a group.',
  payload: subgroupsPayload,
  touches: ['realm_user_groups'],
  apply(state, { group_id, direct_subgroup_ids }) {
    const group = findGroup(state, group_id)
    if (group !== undefined) group.direct_subgroup_ids = mergeIds(group.direct_subgroup_ids, direct_subgroup_ids)
  },
})

export const subgroupsRemoved = event({
  type: 'user_group',
  op: 'remove_subgroups',
  summary: 'Subgroups were removed from a group.',
  payload: subgroupsPayload,
  touches: ['realm_user_groups'],
  apply(state, { group_id, direct_subgroup_ids }) {
    const group = findGroup(state, group_id)
    if (group === undefined) return
    group.direct_subgroup_ids = group.direct_subgroup_ids.filter((inner) => !direct_subgroup_ids.includes(inner))
  },
})
