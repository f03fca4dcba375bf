import { keysOf } from '../../../kernel/keys.ts'
import type { ClientCapabilities, ClientCapability } from '../../../kernel/viewer.ts'

/** Role groups, from most to least privileged. Each group except `role:nobody` contains the groups before it. */
export const SYSTEM_GROUPS = [
  'role:nobody',
  'role:owners',
  'role:administrators',
  'role:moderators',
  'role:fullmembers',
  'role:members',
  'role:everyone',
  'role:internet',
] as const

export type SystemGroupName = (typeof SYSTEM_GROUPS)[number]

/** Clients see these rules in `server_supported_permission_settings`. */
export interface PermissionSetting {
  readonly require_system_group: boolean
  readonly allow_internet_group: boolean
  readonly allow_nobody_group: boolean
  readonly allow_everyone_group: boolean
  readonly default_group_name: SystemGroupName | 'group_creator' | 'stream_creator_or_nobody'
  readonly default_for_system_groups: SystemGroupName | null
  readonly allowed_system_groups: readonly SystemGroupName[]
}

function definePermission<Default extends PermissionSetting['default_group_name']>(
  defaultGroup: Default,
  options: {
    systemGroupOnly?: boolean
    nobody?: boolean
    everyone?: boolean
    defaultForSystemGroups?: SystemGroupName
    allowed?: readonly SystemGroupName[]
  },
): PermissionSetting & { default_group_name: Default } {
  return {
    require_system_group: options.systemGroupOnly ?? false,
    allow_internet_group: false,
    allow_nobody_group: options.nobody ?? true,
    allow_everyone_group: options.everyone ?? false,
    default_group_name: defaultGroup,
    default_for_system_groups: options.defaultForSystemGroups ?? null,
    allowed_system_groups: options.allowed ?? [],
  }
}

export const PERMISSIONS = {
  realm: {
    create_multiuse_invite_group: definePermission('role:administrators', {}),
    can_access_all_users_group: definePermission('role:everyone', {
      systemGroupOnly: true,
      nobody: false,
      everyone: true,
      allowed: ['role:everyone', 'role:members'],
    }),
    can_add_subscribers_group: definePermission('role:members', {}),
    can_add_custom_emoji_group: definePermission('role:members', {}),
    can_create_bots_group: definePermission('role:members', {}),
    can_create_groups: definePermission('role:members', {}),
    can_create_public_channel_group: definePermission('role:members', {}),
    can_create_private_channel_group: definePermission('role:members', {}),
    can_create_web_public_channel_group: definePermission('role:owners', {
      systemGroupOnly: true,
      allowed: ['role:moderators', 'role:administrators', 'role:owners', 'role:nobody'],
    }),
    can_create_write_only_bots_group: definePermission('role:members', {}),
    can_delete_any_message_group: definePermission('role:administrators', {}),
    can_delete_own_message_group: definePermission('role:everyone', { everyone: true }),
    can_invite_users_group: definePermission('role:members', {}),
    can_manage_all_groups: definePermission('role:owners', { nobody: false }),
    can_manage_billing_group: definePermission('role:administrators', { nobody: false }),
    can_mention_many_users_group: definePermission('role:administrators', { everyone: true }),
    can_move_messages_between_channels_group: definePermission('role:members', {}),
    can_move_messages_between_topics_group: definePermission('role:everyone', { everyone: true }),
    can_pin_messages_group: definePermission('role:members', { everyone: true }),
    can_resolve_topics_group: definePermission('role:everyone', { everyone: true }),
    can_set_delete_message_policy_group: definePermission('role:moderators', {}),
    can_set_topics_policy_group: definePermission('role:members', { everyone: true }),
    can_summarize_topics_group: definePermission('role:everyone', { everyone: true }),
    direct_message_initiator_group: definePermission('role:everyone', { everyone: true }),
    direct_message_permission_group: definePermission('role:everyone', { everyone: true }),
  },
  stream: {
    can_add_subscribers_group: definePermission('role:nobody', {}),
    can_administer_channel_group: definePermission('stream_creator_or_nobody', {}),
    can_delete_any_message_group: definePermission('role:nobody', { everyone: true }),
    can_delete_own_message_group: definePermission('role:nobody', { everyone: true }),
    can_move_messages_out_of_channel_group: definePermission('role:nobody', { everyone: true }),
    can_move_messages_within_channel_group: definePermission('role:nobody', { everyone: true }),
    can_remove_subscribers_group: definePermission('role:administrators', { everyone: true }),
    can_send_message_group: definePermission('role:everyone', { everyone: true }),
    can_subscribe_group: definePermission('role:nobody', {}),
    can_resolve_topics_group: definePermission('role:nobody', { everyone: true }),
  },
  group: {
    can_add_members_group: definePermission('group_creator', { defaultForSystemGroups: 'role:nobody' }),
    can_join_group: definePermission('role:nobody', { defaultForSystemGroups: 'role:nobody' }),
    can_leave_group: definePermission('role:everyone', { everyone: true, defaultForSystemGroups: 'role:nobody' }),
    can_manage_group: definePermission('group_creator', { defaultForSystemGroups: 'role:nobody' }),
    can_mention_group: definePermission('role:everyone', { everyone: true, defaultForSystemGroups: 'role:nobody' }),
    can_remove_members_group: definePermission('role:nobody', { defaultForSystemGroups: 'role:nobody' }),
  },
} as const

/** Organization permissions that existing clients do not know, by the client capability that requests them. */
const CAPABILITY_BY_PERMISSION = { can_pin_messages_group: 'channel_pins' } as const satisfies Partial<
  Record<RealmPermission, ClientCapability>
>

/** Names the organization permissions that are omitted from the client's register response and events. */
export function omittedPermissions(capabilities: ClientCapabilities): readonly string[] {
  return keysOf(CAPABILITY_BY_PERMISSION).filter((name) => !capabilities[CAPABILITY_BY_PERMISSION[name]])
}

/** Organization permissions that only owners can change. */
export const OWNER_PERMISSIONS: readonly RealmPermission[] = [
  'can_create_web_public_channel_group',
  'can_invite_users_group',
  'can_manage_all_groups',
  'can_manage_billing_group',
  'create_multiuse_invite_group',
]

/** System groups that certain settings reject even if their `PermissionSetting` allows the group. */
export const FORBIDDEN_GROUP_BY_SETTING: Readonly<Record<string, SystemGroupName | undefined>> = {
  can_mention_group: 'role:owners',
}

export type RealmPermission = keyof typeof PERMISSIONS.realm
export type ChannelPermission = keyof typeof PERMISSIONS.stream
export type GroupPermission = keyof typeof PERMISSIONS.group
