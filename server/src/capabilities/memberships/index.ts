import { capability, command, query } from '../../platform/capability.ts'
import {
  createUserGroup,
  deactivateUserGroup,
  updateUserGroup,
  updateUserGroupMembers,
  updateUserGroupSubgroups,
} from './actions.ts'
import * as contract from './contract.ts'
import { getIsUserGroupMember } from './queries.ts'

/** Memberships: making, filling, changing and deactivating groups, with all that their members gain and lose by it. */
export const memberships = capability({
  name: 'memberships',
  tables: [],
  routes: [
    command(contract.createUserGroup, createUserGroup),
    command(contract.updateUserGroup, updateUserGroup),
    command(contract.deactivateUserGroup, deactivateUserGroup),
    command(contract.updateUserGroupMembers, updateUserGroupMembers),
    command(contract.updateUserGroupSubgroups, updateUserGroupSubgroups),
    query(contract.getIsUserGroupMember, getIsUserGroupMember),
  ],
})
