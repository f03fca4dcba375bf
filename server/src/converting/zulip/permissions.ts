import type { GroupSettingValue } from '../../capabilities/groups/contract/records.ts'
import type { PermissionSetting, SystemGroupName } from '../../capabilities/groups/contract/permissions.ts'
import type { Conversion } from '../convert.ts'
import { fittingPermission, type Holders } from '../permissions.ts'

/** Tells who is in the group of a number, which permissions name. */
interface GroupsByNumber {
  readonly holdersOf: (there: unknown) => Holders | undefined
}

/** Who a permission was for in exports that have a number for it. */
type Policy = Readonly<Record<number, SystemGroupName>>

const POLICY: Policy = {
  1: 'role:members',
  2: 'role:administrators',
  3: 'role:fullmembers',
  4: 'role:moderators',
  5: 'role:everyone',
  6: 'role:nobody',
  7: 'role:owners',
}
/** What older exports have in place of a permission. */
const POLICIES: Readonly<Record<string, { readonly column: string; readonly policy: Policy }>> = {
  can_add_custom_emoji_group: { column: 'add_custom_emoji_policy', policy: POLICY },
  can_add_subscribers_group: { column: 'invite_to_stream_policy', policy: POLICY },
  can_create_bots_group: {
    column: 'bot_creation_policy',
    policy: { 1: 'role:members', 2: 'role:administrators', 3: 'role:administrators' },
  },
  can_create_groups: { column: 'user_group_edit_policy', policy: POLICY },
  can_create_private_channel_group: { column: 'create_private_stream_policy', policy: POLICY },
  can_create_public_channel_group: { column: 'create_public_stream_policy', policy: POLICY },
  can_create_web_public_channel_group: { column: 'create_web_public_stream_policy', policy: POLICY },
  can_create_write_only_bots_group: {
    column: 'bot_creation_policy',
    policy: { 1: 'role:members', 2: 'role:members', 3: 'role:administrators' },
  },
  can_delete_own_message_group: { column: 'delete_own_message_policy', policy: POLICY },
  can_invite_users_group: { column: 'invite_to_realm_policy', policy: POLICY },
  can_mention_many_users_group: {
    column: 'wildcard_mention_policy',
    policy: {
      1: 'role:everyone',
      2: 'role:members',
      3: 'role:fullmembers',
      5: 'role:administrators',
      6: 'role:nobody',
      7: 'role:moderators',
    },
  },
  can_move_messages_between_channels_group: { column: 'move_messages_between_streams_policy', policy: POLICY },
  can_move_messages_between_topics_group: { column: 'edit_topic_policy', policy: POLICY },
  can_send_message_group: {
    column: 'stream_post_policy',
    policy: { 1: 'role:everyone', 2: 'role:administrators', 3: 'role:fullmembers', 4: 'role:moderators' },
  },
  direct_message_permission_group: {
    column: 'private_message_policy',
    policy: { 1: 'role:everyone', 2: 'role:nobody' },
  },
}
const PERMISSION = /^(?:can_|create_multiuse_|direct_message_).*_groups?$/

/**
 * Those permissions of a row that its export has. Who has one here had it there; where that is not possible, fewer have it.
 * @param of whose permissions they are, for the report
 */
export function permissionsOf(
  row: Readonly<Record<string, unknown>>,
  permissions: Readonly<Record<string, PermissionSetting>>,
  groups: GroupsByNumber,
  of: string,
  { organization, leftOut, carried }: Pick<Conversion, 'organization' | 'leftOut' | 'carried'>,
): Record<string, GroupSettingValue> {
  const found: Record<string, GroupSettingValue> = {}
  for (const [name, permission] of Object.entries(permissions)) {
    const holders = holdersOf(row, name, groups)
    if (holders === 'unsaid') continue
    const { value, isNarrower } = fittingPermission(name, permission, holders, (role) => organization.groupId(role))
    found[name] = value
    if (isNarrower) leftOut.add('permissions are for fewer people, since they are not possible here', `${of}: ${name}`)
    else carried.add('permissions are for those who had them', `${of}: ${name}`)
  }
  for (const name of Object.keys(row).filter((one) => PERMISSION.test(one) && !Object.hasOwn(permissions, one))) {
    leftOut.add('permissions are not known here', `${of}: ${name}`)
  }
  return found
}

/** Who has a permission; undefined where that is not understood, and `unsaid` where the export has no word of it. */
function holdersOf(
  row: Readonly<Record<string, unknown>>,
  name: string,
  groups: GroupsByNumber,
): Holders | undefined | 'unsaid' {
  if (row[name] !== undefined) return groups.holdersOf(row[name])
  const before = POLICIES[name]
  const number = before === undefined ? undefined : row[before.column]
  if (before === undefined || number === undefined) return 'unsaid'
  const role = before.policy[Number(number)]
  return role === undefined ? undefined : { roles: [role], groups: [], people: [] }
}
