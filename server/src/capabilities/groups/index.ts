import type { Viewer } from '../../kernel/viewer.ts'
import { capability, query } from '../../platform/capability.ts'
import type { LoggedEvent } from '../../kernel/event-binding.ts'
import * as contract from './contract/index.ts'
import { PERMISSIONS } from './contract/permissions.ts'
import { groupsProjection, membersOf, presentGroups, subgroupsOf } from './queries.ts'
import { knownGroup } from './rules.ts'

/** Groups of users, nested and anonymous, and the system groups that stand for roles: who may do what. */
export const groups = capability({
  name: 'groups',
  tables: ['user_groups', 'group_members', 'group_subgroups'],
  projections: [groupsProjection],
  routes: [
    query(contract.getUserGroups, ({ organization }, input) => ({
      user_groups: presentGroups(organization, input.include_deactivated_groups),
    })),
    query(contract.getUserGroupMembers, ({ organization }, input) => {
      const members = membersOf(organization, knownGroup(organization, input.user_group_id), input.direct_member_only)
      return { members: [...members].toSorted((a, b) => a - b) }
    }),
    query(contract.getUserGroupSubgroups, ({ organization }, input) => {
      const group = knownGroup(organization, input.user_group_id)
      return { subgroups: subgroupsOf(organization, group, input.direct_subgroup_only).map(({ id }) => id) }
    }),
  ],
  events: [
    {
      event: contract.groupAdded,
      isWanted: (event, viewer) => event.refId === null || !knowsDeactivated(event, viewer),
    },
    { event: contract.groupRemoved, isWanted: (event, viewer) => !knowsDeactivated(event, viewer) },
    { event: contract.groupUpdated, isWanted: knowsDeactivated },
    { event: contract.groupMembersAdded, isWanted: knowsDeactivated },
    { event: contract.groupMembersRemoved, isWanted: knowsDeactivated },
    { event: contract.subgroupsAdded, isWanted: knowsDeactivated },
    { event: contract.subgroupsRemoved, isWanted: knowsDeactivated },
  ],
  snapshot: [
    {
      eventTypes: ['realm_user_groups'],
      share: ({ form: { capabilities } }) => ({
        key: String(capabilities.include_deactivated_groups),
        make: (organization) => ({
          realm_user_groups: presentGroups(organization, capabilities.include_deactivated_groups),
        }),
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
