import { randomUUID } from 'node:crypto'
import type { CapabilitySamples } from '../../../testing/capability-samples.ts'
import { fetchGroups, createGroup, someId } from '../../../testing/look-up.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    readonly user_group_id: number
  }
}

const SYSTEM_GROUP = 1

export const samples: CapabilitySamples = {
  async make({ owner }, { user_id }) {
    const group = { name: 'Samples', description: '', members: [user_id] }
    const { group_id } = await owner.call('POST', '/user_groups/create', group)
    return { user_group_id: group_id }
  },
  inputs: {
    createUserGroup: ({ user_id, user_group_id }) => ({
      name: randomUUID(),
      members: [user_id],
      subgroups: [user_group_id],
    }),
    updateUserGroup: () => ({ name: 'Sample' }),
    updateUserGroupMembers: ({ user_id }) => ({ delete: [user_id] }),
    updateUserGroupSubgroups: () => ({ add: [SYSTEM_GROUP] }),
  },
  names: {
    user_group_id: 'group',
    subgroups: 'group',
    add_subgroups: 'group',
    delete_subgroups: 'group',
    direct_subgroups: 'group',
    members: 'user',
    direct_members: 'user',
    'updateUserGroupMembers.add': 'user',
    'updateUserGroupMembers.delete': 'user',
    'updateUserGroupSubgroups.add': 'group',
    'updateUserGroupSubgroups.delete': 'group',
  },
  hidden: { group: { sample: 'user_group_id', of: 'another organization' } },
}

export const steps: CapabilitySteps = {
  steps: {
    'make group': async ({ actor, other, what, more }) =>
      actor.try('POST', '/user_groups/create', {
        name: `Group ${what % 6}`,
        description: '',
        members: [...new Set([other.id, actor.id])].slice(more % 2),
        subgroups: more % 3 === 0 ? [await someId(actor, 'realm_user_groups', what)] : [],
        ...(more % 4 === 0 ? { can_manage_group: { direct_members: [other.id, actor.id], direct_subgroups: [] } } : {}),
      }),
    'fill group': async ({ actor, other, what, more }) =>
      actor.try('POST', `/user_groups/${await createGroup(actor, what)}/members`, {
        [more % 3 === 0 ? 'delete' : 'add']: [other.id],
      }),
    'nest group': async ({ actor, what, more }) =>
      actor.try('POST', `/user_groups/${await createGroup(actor, what)}/subgroups`, {
        add: [more % 2 === 0 ? await createGroup(actor, more) : await someId(actor, 'realm_user_groups', more)],
      }),
    'unnest group': async ({ actor, what, more }) => {
      const nested = (await fetchGroups(actor)).filter((group) => group.direct_subgroup_ids.length > 0)
      const { id, direct_subgroup_ids: subgroups = [] } = nested[what % nested.length] ?? {}
      const gone = subgroups[more % subgroups.length] ?? 999_999
      return actor.try('POST', `/user_groups/${id ?? 999_999}/subgroups`, { delete: [gone] })
    },
    'change group': async ({ actor, other, what, more }) =>
      actor.try('PATCH', `/user_groups/${await createGroup(actor, what)}`, {
        ...(more % 2 === 0 ? { name: `Group ${more % 6}` } : {}),
        can_join_group: { new: { direct_members: [other.id], direct_subgroups: [await createGroup(actor, more)] } },
      }),
    'deactivate group': async ({ actor, what, more }) =>
      actor.try('PATCH', `/user_groups/${await createGroup(actor, what)}`, { deactivated: more % 3 > 0 }),
  },
}
