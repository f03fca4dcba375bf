import { capability, command, query } from '../../platform/capability.ts'
import {
  createUserGroup,
  deactivateUserGroup,
  updateUserGroup,
  updateUserGroupMembers,
  updateUserGroupSubgroups,
} from './actions/manage.ts'
import { getIsUserGroupMember } from './actions/uses.ts'
import * as contract from './contract/index.ts'
import {
  seesDeactivationAsRemoval,
  getUserGroupMembers,
  getUserGroups,
  getUserGroupSubgroups,
  groupsProjection,
  isGroupAddedWanted,
  knowsGroup,
  sharedGroups,
  sharedPermissionSettings,
} from './queries.ts'
import { exportedTables, migrations } from './tables.ts'

export const groups = capability({
  name: 'groups',
  tables: ['user_groups', 'group_members', 'group_subgroups'],
  migrations,
  exportedTables,
  limits: [contract.GROUP_LIMIT],
  projections: [groupsProjection],
  routes: [
    query(contract.getUserGroups, getUserGroups),
    query(contract.getUserGroupMembers, getUserGroupMembers),
    query(contract.getUserGroupSubgroups, getUserGroupSubgroups),
    command(contract.createUserGroup, createUserGroup),
    command(contract.updateUserGroup, updateUserGroup),
    command(contract.deactivateUserGroup, deactivateUserGroup),
    command(contract.updateUserGroupMembers, updateUserGroupMembers),
    command(contract.updateUserGroupSubgroups, updateUserGroupSubgroups),
    query(contract.getIsUserGroupMember, getIsUserGroupMember),
  ],
  events: [
    { event: contract.groupAdded, isWanted: isGroupAddedWanted },
    { event: contract.groupRemoved, administration: false, isWanted: seesDeactivationAsRemoval },
    { event: contract.groupUpdated, isWanted: knowsGroup },
    { event: contract.groupMembersAdded, isWanted: knowsGroup },
    { event: contract.groupMembersRemoved, isWanted: knowsGroup },
    { event: contract.subgroupsAdded, isWanted: knowsGroup },
    { event: contract.subgroupsRemoved, isWanted: knowsGroup },
  ],
  snapshot: [
    { eventTypes: ['realm_user_groups'], share: sharedGroups },
    { eventTypes: ['realm'], share: sharedPermissionSettings },
  ],
})
