import { type GroupSettingValue, MAX_SETTING_MEMBERS } from '../../capabilities/groups/contract/index.ts'
import {
  type PermissionSetting,
  type SystemGroupName,
  SYSTEM_GROUPS,
} from '../../capabilities/groups/contract/permissions.ts'
import type { Conversion } from '../convert.ts'
import { allowsSystemGroup } from '../../capabilities/groups/rules.ts'

interface GroupsByNumber {
  readonly holdersOf: (there: unknown) => PermissionHolders | undefined
}

/** Column of older exports, and the permission's holders for each value of the column. */
interface LegacyPermission {
  readonly column: string
  readonly policy: Readonly<Record<string, SystemGroupName>>
}

const ROLE_BY_POLICY: LegacyPermission['policy'] = {
  1: 'role:members',
  2: 'role:administrators',
  3: 'role:fullmembers',
  4: 'role:moderators',
  5: 'role:everyone',
  6: 'role:nobody',
  7: 'role:owners',
}
const CREATE_CHANNEL_PERMISSION: LegacyPermission = { column: 'create_stream_policy', policy: ROLE_BY_POLICY }
const MOVE_TOPIC_PERMISSIONS: readonly LegacyPermission[] = [
  { column: 'edit_topic_policy', policy: ROLE_BY_POLICY },
  { column: 'allow_community_topic_editing', policy: { true: 'role:members', false: 'role:administrators' } },
]
const LEGACY_PERMISSIONS: Readonly<Record<string, readonly LegacyPermission[]>> = {
  can_add_custom_emoji_group: [
    { column: 'add_custom_emoji_policy', policy: ROLE_BY_POLICY },
    { column: 'add_emoji_by_admins_only', policy: { true: 'role:administrators', false: 'role:members' } },
  ],
  can_add_subscribers_group: [{ column: 'invite_to_stream_policy', policy: ROLE_BY_POLICY }],
  can_create_bots_group: [
    {
      column: 'bot_creation_policy',
      policy: { 1: 'role:members', 2: 'role:administrators', 3: 'role:administrators' },
    },
  ],
  can_create_groups: [{ column: 'user_group_edit_policy', policy: ROLE_BY_POLICY }],
  can_create_private_channel_group: [
    { column: 'create_private_stream_policy', policy: ROLE_BY_POLICY },
    CREATE_CHANNEL_PERMISSION,
  ],
  can_create_public_channel_group: [
    { column: 'create_public_stream_policy', policy: ROLE_BY_POLICY },
    CREATE_CHANNEL_PERMISSION,
  ],
  can_create_web_public_channel_group: [{ column: 'create_web_public_stream_policy', policy: ROLE_BY_POLICY }],
  can_create_write_only_bots_group: [
    { column: 'bot_creation_policy', policy: { 1: 'role:members', 2: 'role:members', 3: 'role:administrators' } },
  ],
  can_delete_own_message_group: [
    { column: 'delete_own_message_policy', policy: ROLE_BY_POLICY },
    { column: 'allow_message_deleting', policy: { true: 'role:everyone', false: 'role:administrators' } },
  ],
  can_invite_users_group: [{ column: 'invite_to_realm_policy', policy: ROLE_BY_POLICY }],
  can_mention_many_users_group: [
    {
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
  ],
  can_move_messages_between_channels_group: [
    { column: 'move_messages_between_streams_policy', policy: ROLE_BY_POLICY },
  ],
  can_move_messages_between_topics_group: MOVE_TOPIC_PERMISSIONS,
  can_resolve_topics_group: MOVE_TOPIC_PERMISSIONS,
  can_send_message_group: [
    {
      column: 'stream_post_policy',
      policy: { 1: 'role:everyone', 2: 'role:administrators', 3: 'role:fullmembers', 4: 'role:moderators' },
    },
    { column: 'is_announcement_only', policy: { true: 'role:administrators', false: 'role:everyone' } },
  ],
  direct_message_permission_group: [
    { column: 'private_message_policy', policy: { 1: 'role:everyone', 2: 'role:nobody' } },
  ],
}
/** In older versions, resolving a topic required the permission to move its messages. */
const OLDER_PERMISSION_BY_NAME: Readonly<Record<string, string>> = {
  can_resolve_topics_group: 'can_move_messages_between_topics_group',
}
const CHANGE_REPORTS = {
  narrower: 'permissions that Parley cannot represent: granted to fewer people',
  wider: 'permissions that cannot be limited to so few people: possibly granted to more',
} as const
const PERMISSION_COLUMN_PATTERN = /^(?:can_|create_multiuse_|direct_message_).*_groups?$/

/** Converts the permissions in a row. `of` is what the report calls the organization, group, or channel. */
export function convertPermissions(
  row: Readonly<Record<string, unknown>>,
  permissions: Readonly<Record<string, PermissionSetting>>,
  groups: GroupsByNumber,
  of: string,
  { organization, leftOut, carried }: Pick<Conversion, 'organization' | 'leftOut' | 'carried'>,
): Record<string, GroupSettingValue> {
  const found: Record<string, GroupSettingValue> = {}
  for (const [name, permission] of Object.entries(permissions)) {
    const holders = findHolders(row, name, groups)
    if (holders === 'unsaid') continue
    const { value, change } = convertPermission(name, permission, holders, (role) => organization.groupId(role))
    found[name] = value
    if (change === undefined) carried.add('permissions', `${of}: ${name}`)
    else leftOut.add(CHANGE_REPORTS[change], `${of}: ${name}`)
  }
  for (const name of Object.keys(row).filter(
    (one) => PERMISSION_COLUMN_PATTERN.test(one) && !Object.hasOwn(permissions, one),
  )) {
    leftOut.add('permissions that do not exist in Parley: the actions are unrestricted', `${of}: ${name}`)
  }
  return found
}

/** Returns undefined if the value is unsupported; `unsaid` if the export does not contain the permission. */
function findHolders(
  row: Readonly<Record<string, unknown>>,
  name: string,
  groups: GroupsByNumber,
): PermissionHolders | undefined | 'unsaid' {
  const column = [name, OLDER_PERMISSION_BY_NAME[name] ?? name].find((one) => row[one] !== undefined)
  if (column !== undefined) return groups.holdersOf(row[column])
  const before = LEGACY_PERMISSIONS[name]?.find((one) => row[one.column] !== undefined)
  if (before === undefined) return 'unsaid'
  const value = row[before.column]
  const isPlain = typeof value === 'number' || typeof value === 'boolean'
  const role = isPlain ? before.policy[String(value)] : undefined
  return role === undefined ? undefined : { roles: [role], groups: [], people: [] }
}

export interface PermissionHolders {
  readonly roles: readonly SystemGroupName[]
  readonly groups: readonly number[]
  readonly people: readonly number[]
  /** Whether some previous holders cannot have the permission in Parley. */
  readonly isPartial?: boolean
}

export interface ConvertedPermission {
  readonly value: GroupSettingValue
  /** Undefined if the holders are unchanged. */
  readonly change: 'narrower' | 'wider' | undefined
}

/** Replaces a permission that Parley cannot represent by a narrower one or, if there is none, by a wider one. */
function convertPermission(
  name: string,
  permission: PermissionSetting,
  holders: PermissionHolders | undefined,
  groupId: (role: SystemGroupName) => number,
): ConvertedPermission {
  const allowed = SYSTEM_GROUPS.filter((role) => allowsSystemGroup(name, permission, role))
  const fewest = allowed[0] ?? 'role:nobody'
  const atMost = Math.max(...(holders?.roles ?? []).map((role) => SYSTEM_GROUPS.indexOf(role)))
  const isWidened = fewest !== 'role:nobody' && atMost < SYSTEM_GROUPS.indexOf(fewest)
  const narrowest = { value: groupId(fewest), change: isWidened ? 'wider' : 'narrower' } as const
  if (holders === undefined) return narrowest
  const isNamingToo = holders.groups.length + holders.people.length > 0
  const isTooMany = Math.max(holders.groups.length + holders.roles.length, holders.people.length) > MAX_SETTING_MEMBERS
  if (isTooMany || (isNamingToo && permission.require_system_group)) return narrowest
  // Each role group includes the groups before it in `SYSTEM_GROUPS`.
  const roles = holders.roles.map((role) => {
    const most = SYSTEM_GROUPS.indexOf(role)
    return allowed.findLast((one) => SYSTEM_GROUPS.indexOf(one) <= most) ?? 'role:nobody'
  })
  const isNarrower = holders.isPartial === true || roles.some((role, index) => role !== holders.roles[index])
  const change = isNarrower ? 'narrower' : undefined
  const named = roles.filter((role) => role !== 'role:nobody').map(groupId)
  const [groups, people] = [[...new Set([...named, ...holders.groups])], [...new Set(holders.people)]]
  const [first] = groups
  if (people.length === 0 && groups.length <= 1) {
    if (first !== undefined) return { value: first, change }
    return isWidened ? narrowest : { ...narrowest, change }
  }
  return {
    value: { direct_members: people.toSorted(compareNumbers), direct_subgroups: groups.toSorted(compareNumbers) },
    change,
  }
}

function compareNumbers(one: number, other: number): number {
  return one - other
}
