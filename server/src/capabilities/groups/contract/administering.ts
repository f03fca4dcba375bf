import * as z from 'zod/mini'
import { endpoint } from '../../../kernel/endpoint.ts'
import { boolean, composedText, givenId, id, nothing, text } from '../../../kernel/schemas.ts'
import { MAX_GROUP_DESCRIPTION, MAX_GROUP_NAME } from './groups.ts'
import { groupPermissionFields, groupSettingUpdate, groupSettingValue } from './records.ts'
import type { Limit } from '../../../kernel/limits.ts'

export const GROUP_LIMIT: Limit = { most: 1_000, per: 'creator', what: 'user groups, deactivated ones included' }

const name = composedText(MAX_GROUP_NAME)
const description = text(MAX_GROUP_DESCRIPTION)

/** The same limit applies to removals. */
export const MAX_MEMBERS_AT_ONCE = 10_000
const ids = z.array(id).check(z.maxLength(MAX_MEMBERS_AT_ONCE))

export const createUserGroup = endpoint({
  id: 'createUserGroup',
  method: 'POST',
  path: '/user_groups/create',
  summary: 'Make a group of users, with the members and the groups inside it.',
  since: 0,
  input: z.object({
    name,
    description,
    members: z.array(givenId).check(z.maxLength(MAX_MEMBERS_AT_ONCE)),
    subgroups: z._default(z.array(givenId).check(z.maxLength(MAX_MEMBERS_AT_ONCE)), []),
    ...groupPermissionFields(z.optional(groupSettingValue)),
  }),
  output: z.object({ group_id: id }),
  errors: ['BAD_REQUEST'],
})

export const updateUserGroup = endpoint({
  id: 'updateUserGroup',
  method: 'PATCH',
  path: '/user_groups/:user_group_id',
  summary: 'Change what a group is called and who may do what with it, deactivate it or make it active again.',
  since: 0,
  input: z.object({
    user_group_id: id,
    name: z.optional(name),
    description: z.optional(description),
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
  summary: 'Put users and groups into a group and take others out.',
  since: 0,
  input: z.object({
    user_group_id: id,
    add: z._default(ids, []),
    delete: z._default(ids, []),
    add_subgroups: z._default(ids, []),
    delete_subgroups: z._default(ids, []),
  }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const updateUserGroupSubgroups = endpoint({
  id: 'updateUserGroupSubgroups',
  method: 'POST',
  path: '/user_groups/:user_group_id/subgroups',
  summary: 'Put groups into a group and take others out.',
  since: 127,
  input: z.object({ user_group_id: id, add: z._default(ids, []), delete: z._default(ids, []) }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const deactivateUserGroup = endpoint({
  id: 'deactivateUserGroup',
  method: 'POST',
  path: '/user_groups/:user_group_id/deactivate',
  summary: 'Deactivate a group: it can no longer be mentioned, joined or used for permissions.',
  since: 290,
  input: z.object({ user_group_id: id }),
  output: nothing,
  errors: ['BAD_REQUEST', 'CANNOT_DEACTIVATE_GROUP_IN_USE'],
})

export const getIsUserGroupMember = endpoint({
  id: 'getIsUserGroupMember',
  method: 'GET',
  path: '/user_groups/:user_group_id/members/:user_id',
  summary: 'Tell whether a user is in a group, through any nesting.',
  since: 127,
  forTokens: 'reading',
  input: z.object({ user_group_id: id, user_id: id, direct_member_only: z._default(boolean, false) }),
  output: z.object({ is_user_group_member: boolean }),
  errors: ['BAD_REQUEST'],
})
