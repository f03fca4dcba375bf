import type { Viewer } from '../../kernel/viewer.ts'
import { capability, query } from '../../platform/capability.ts'
import type { LoggedEvent } from '../../kernel/event-binding.ts'
import * as contract from './contract/index.ts'
import { PERMISSIONS } from './contract/permissions.ts'
import { groupsFold, membersOf, presentGroups, subgroupsOf } from './queries.ts'
import { knownGroup } from './rules.ts'

/** Groups of users, nested and anonymous, and the system groups that stand for roles: who may do what. */
export const groups = capability({
  name: 'groups',
  tables: ['user_groups', 'group_members', 'group_subgroups'],
  folds: [groupsFold],
  routes: [
    query(contract.getUserGroups, ({ world }, input) => ({
      user_groups: presentGroups(world, input.include_deactivated_groups),
    })),
    query(contract.getUserGroupMembers, ({ world }, input) => {
      const members = membersOf(world, knownGroup(world, input.user_group_id), input.direct_member_only)
      return { members: [...members].toSorted((a, b) => a - b) }
    }),
    query(contract.getUserGroupSubgroups, ({ world }, input) => {
      const group = knownGroup(world, input.user_group_id)
      return { subgroups: subgroupsOf(world, group, input.direct_subgroup_only).map(({ id }) => id) }
    }),
  ],
  events: [
    { event: contract.groupAdded, wanted: (event, viewer) => event.refId === null || !knowsDeactivated(event, viewer) },
    { event: contract.groupRemoved, wanted: (event, viewer) => !knowsDeactivated(event, viewer) },
    { event: contract.groupUpdated, wanted: knowsDeactivated },
    { event: contract.groupMembersAdded, wanted: knowsDeactivated },
    { event: contract.groupMembersRemoved, wanted: knowsDeactivated },
    { event: contract.subgroupsAdded, wanted: knowsDeactivated },
    { event: contract.subgroupsRemoved, wanted: knowsDeactivated },
  ],
  snapshot: [
    {
      eventTypes: ['realm_user_groups'],
      share: ({ form: { capabilities } }) => ({
        key: String(capabilities.include_deactivated_groups),
        make: (world) => ({ realm_user_groups: presentGroups(world, capabilities.include_deactivated_groups) }),
      }),
    },
    {
      eventTypes: ['realm'],
      share: () => ({ key: '', make: () => ({ server_supported_permission_settings: PERMISSIONS }) }),
    },
  ],
})

/** Whether the client knows of the group that the event is about: events about a deactivated one refer to it. */
function knowsDeactivated(event: LoggedEvent, viewer: Viewer): boolean {
  return event.refId === null || viewer.form.capabilities.include_deactivated_groups
}
