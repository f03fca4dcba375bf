import { randomUUID } from 'node:crypto'
import type { CapabilitySamples } from '../../../testing/capability-samples.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    /** Of a group that holds the other user. */
    readonly user_group_id: number
  }
}

/** The first group that every organization has. */
const SYSTEM_GROUP = 1

export const samples: CapabilitySamples = {
  async make({ owner }, { user_id }) {
    const group = { name: 'Samples', description: '', members: [user_id] }
    const { group_id } = await owner.call('POST', '/user_groups/create', group)
    return { user_group_id: Number(group_id) }
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
