import { capability, query } from '../../platform/capability.ts'
import { getUserGroups, groupMembersAdded, groupMembersRemoved } from './contract/index.ts'
import { PERMISSIONS } from './contract/permissions.ts'
import { groupsFold, presentGroups } from './queries.ts'

/** Groups of users, nested and anonymous, and the system groups that stand for roles: who may do what. */
export const groups = capability({
  name: 'groups',
  tables: ['user_groups', 'group_members', 'group_subgroups'],
  folds: [groupsFold],
  routes: [
    query(getUserGroups, ({ world }, input) => ({
      user_groups: presentGroups(world, input.include_deactivated_groups),
    })),
  ],
  events: [{ event: groupMembersAdded }, { event: groupMembersRemoved }],
  snapshot: [
    {
      eventTypes: ['realm_user_groups'],
      observe: ({ world, form }) => ({
        realm_user_groups: presentGroups(world, form.capabilities.include_deactivated_groups),
      }),
    },
    { eventTypes: ['realm'], observe: () => ({ server_supported_permission_settings: PERMISSIONS }) },
  ],
})
