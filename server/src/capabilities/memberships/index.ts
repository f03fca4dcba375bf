import { capability, command, query } from '../../platform/capability.ts'
import { membersOf } from '../groups/queries.ts'
import { knownGroup } from '../groups/rules.ts'
import { knownTo } from '../users/rules/sight.ts'
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
    query(contract.getIsUserGroupMember, ({ world, actor }, input) => {
      const group = knownGroup(world, input.user_group_id)
      const user = knownTo(world, actor, input.user_id)
      return { is_user_group_member: membersOf(world, group, input.direct_member_only).has(user.id) }
    }),
  ],
})
