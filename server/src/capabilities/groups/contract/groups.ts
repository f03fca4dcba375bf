import * as z from 'zod/mini'
import { endpoint } from '../../../kernel/endpoint.ts'
import { boolean, id, ids } from '../../../kernel/schemas.ts'
import { userGroup } from './records.ts'

/** Code points. */
export const MAX_GROUP_NAME = 100
export const MAX_GROUP_DESCRIPTION = 1_024

export const getUserGroups = endpoint({
  id: 'getUserGroups',
  method: 'GET',
  path: '/user_groups',
  summary: 'List the groups of the organization.',
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
  summary: 'List who is in a group, through any nesting.',
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
  summary: 'List the groups inside a group, through any nesting.',
  since: 127,
  forTokens: 'reading',
  input: z.object({ user_group_id: id, direct_subgroup_only: z._default(boolean, false) }),
  output: z.object({ subgroups: ids }),
  errors: ['BAD_REQUEST'],
})
