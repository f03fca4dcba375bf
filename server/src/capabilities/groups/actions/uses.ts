import type { OrganizationState } from '../../../kernel/projection.ts'
import type { Input, Output } from '../../../kernel/endpoint.ts'
import type { Reader } from '../../../kernel/transaction.ts'
import { keysOf } from '../../../kernel/keys.ts'
import { channelsProjection } from '../../channels/queries/index.ts'
import { canSeeChannel } from '../../channels/rules/index.ts'
import type { GroupSettingValue } from '../contract/index.ts'
import { PERMISSIONS } from '../contract/permissions.ts'
import { groupByName, groupsProjection, knownGroup, membersOf, type Group } from '../queries.ts'
import { referencesGroup, type Member } from '../rules.ts'
import { groupSetting } from '../../organizations/queries/index.ts'
import { userById } from '../../users/queries/index.ts'
import { isFullMember } from '../../users/rules/index.ts'
import { requireVisibleUser } from '../../users/rules/visibility.ts'
import type * as contract from '../contract/index.ts'

export function changesToFullMembers(
  organization: OrganizationState,
  now: number,
  waitingDays: number,
): { add: number[]; remove: number[] } {
  const isFull = (userId: number): boolean => {
    const user = userById(organization, userId)
    return user !== undefined && isFullMember(organization, user, now, waitingDays)
  }
  const full = groupByName(organization, 'role:fullmembers')?.members ?? new Set()
  const all = [...(groupByName(organization, 'role:members')?.members ?? [])].toSorted((a, b) => a - b)
  return {
    add: all.filter((userId) => !full.has(userId) && isFull(userId)),
    remove: all.filter((userId) => full.has(userId) && !isFull(userId)),
  }
}

/** A use of a group that blocks its deactivation. */
export type DeactivationObjection =
  | { readonly type: 'subgroup'; readonly supergroup_ids: readonly number[] }
  | { readonly type: 'channel'; readonly channel_id: number; readonly settings: readonly string[] }
  | { readonly type: 'user_group'; readonly group_id: number; readonly settings: readonly string[] }
  | { readonly type: 'realm'; readonly settings: readonly string[] }

/** Finds uses that block the group's deactivation. `objections` omits channels that the member cannot see. */
export function groupUses(
  organization: OrganizationState,
  member: Member,
  group: Group,
): { isUsed: boolean; objections: readonly DeactivationObjection[] } {
  const naming = (values: Readonly<Record<string, GroupSettingValue>>): string[] =>
    Object.entries(values).flatMap(([name, value]) => (referencesGroup(value, group.id) ? [name] : []))
  const groups = [...organization.of(groupsProjection).byId.values()].filter(
    (other) => !other.deactivated && other.id !== group.id,
  )
  const supergroups = groups.filter((other) => other.subgroupIds.includes(group.id)).map(({ id }) => id)
  const channels = [...organization.of(channelsProjection).byId.values()]
    .map((channel) => ({ channel, settings: naming(channel.permissions) }))
    .filter(({ settings }) => settings.length > 0)
  const realm = keysOf(PERMISSIONS.realm).filter((name) => referencesGroup(groupSetting(organization, name), group.id))
  const known = channels.filter(({ channel }) => canSeeChannel(organization, member, channel))
  const objections: DeactivationObjection[] = [
    ...(supergroups.length > 0 ? [{ type: 'subgroup' as const, supergroup_ids: supergroups }] : []),
    ...known.map(({ channel, settings }) => ({ type: 'channel' as const, channel_id: channel.id, settings })),
    ...groups
      .map(({ id, permissions }) => ({ type: 'user_group' as const, group_id: id, settings: naming(permissions) }))
      .filter(({ settings }) => settings.length > 0),
    ...(realm.length > 0 ? [{ type: 'realm' as const, settings: realm }] : []),
  ]
  return { isUsed: objections.length > 0 || channels.length > 0, objections }
}

export function getIsUserGroupMember(
  { organization, actor }: Reader,
  input: Input<typeof contract.getIsUserGroupMember>,
): Output<typeof contract.getIsUserGroupMember> {
  const group = knownGroup(organization, input.user_group_id)
  const user = requireVisibleUser(organization, actor, input.user_id)
  return { is_user_group_member: membersOf(organization, group, input.direct_member_only).has(user.id) }
}
