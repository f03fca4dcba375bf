import { capability, command, query } from '../../platform/capability.ts'
import { membersOf } from '../groups/queries.ts'
import { knownGroup } from '../groups/rules.ts'
import { knownTo } from '../users/rules/visibility.ts'
import {
  createUserGroup,
  deactivateUserGroup,
  updateUserGroup,
  updateUserGroupMembers,
  updateUserGroupSubgroups,
} from './actions.ts'
import * as contract from './contract.ts'

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
    query(contract.getIsUserGroupMember, ({ organization, actor }, input) => {
      const group = knownGroup(organization, input.user_group_id)
      const user = knownTo(organization, actor, input.user_id)
      return { is_user_group_member: membersOf(organization, group, input.direct_member_only).has(user.id) }
    }),
  ],
})
