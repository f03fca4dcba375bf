import * as z from 'zod/mini'
import { event, type ClientState } from '../../../kernel/event.ts'
import { boolean, id, ids, string } from '../../../kernel/schemas.ts'
import { groupPermissionFields, groupSettingValue, groupsOf, userGroup, type UserGroup } from './records.ts'

function known(state: ClientState, groupId: number): UserGroup | undefined {
  return groupsOf(state).find((group) => group.id === groupId)
}

function united(some: readonly number[], more: readonly number[]): number[] {
  return [...new Set([...some, ...more])].toSorted((a, b) => a - b)
}

export const groupAdded = event({
  type: 'user_group',
  op: 'add',
  summary: 'A group was made. Clients that do not know deactivated groups get it for one that is active again, too.',
  payload: z.strictObject({ group: userGroup }),
  touches: ['realm_user_groups'],
  apply(state, { group }) {
    if (state['realm_user_groups'] === undefined || known(state, group.id) !== undefined) return
    state['realm_user_groups'] = [...groupsOf(state), group].toSorted((a, b) => a.id - b.id)
  },
})

const update = z.strictObject({
  name: z.optional(string),
  description: z.optional(string),
  deactivated: z.optional(boolean),
  ...groupPermissionFields(z.optional(groupSettingValue)),
})
export type GroupUpdate = z.output<typeof update>

export const groupUpdated = event({
  type: 'user_group',
  op: 'update',
  summary: "A group's name, description or settings changed, or whether it is deactivated.",
  payload: z.strictObject({ group_id: id, data: update }),
  touches: ['realm_user_groups'],
  apply(state, { group_id, data }) {
    Object.assign(known(state, group_id) ?? {}, data)
  },
})

export const groupRemoved = event({
  type: 'user_group',
  op: 'remove',
  summary: 'A group was deactivated; for clients that do not know deactivated groups.',
  payload: z.strictObject({ group_id: id }),
  touches: ['realm_user_groups'],
  apply(state, { group_id }) {
    if (known(state, group_id) === undefined) return
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
    const group = known(state, group_id)
    if (group !== undefined) group.members = united(group.members, user_ids)
  },
})

export const groupMembersRemoved = event({
  type: 'user_group',
  op: 'remove_members',
  summary: 'Users left a group.',
  payload: membersPayload,
  touches: ['realm_user_groups'],
  apply(state, { group_id, user_ids }) {
    const group = known(state, group_id)
    if (group !== undefined) group.members = group.members.filter((member) => !user_ids.includes(member))
  },
})

const subgroupsPayload = z.strictObject({ group_id: id, direct_subgroup_ids: ids })

export const subgroupsAdded = event({
  type: 'user_group',
  op: 'add_subgroups',
  summary: 'Groups were put into a group.',
  payload: subgroupsPayload,
  touches: ['realm_user_groups'],
  apply(state, { group_id, direct_subgroup_ids }) {
    const group = known(state, group_id)
    if (group !== undefined) group.direct_subgroup_ids = united(group.direct_subgroup_ids, direct_subgroup_ids)
  },
})

export const subgroupsRemoved = event({
  type: 'user_group',
  op: 'remove_subgroups',
  summary: 'Groups were taken out of a group.',
  payload: subgroupsPayload,
  touches: ['realm_user_groups'],
  apply(state, { group_id, direct_subgroup_ids }) {
    const group = known(state, group_id)
    if (group === undefined) return
    group.direct_subgroup_ids = group.direct_subgroup_ids.filter((inner) => !direct_subgroup_ids.includes(inner))
  },
})
