import { keysOf } from '@parley/server/kernel/keys'
import { ta } from '../../kernel/administration.ts'
import type { Setting, SettingsGroup } from '../../kernel/setting.ts'
import { store } from '../../platform/client.ts'
import { useSavedChoice } from '../../platform/settings/choosing.tsx'
import { holderNames } from '../groups/holders.ts'
import { PermissionGrant } from '../groups/parts/grant.tsx'
import { refusalReason, realmPermission, type RealmPermission } from './choices.ts'

type Topic = keyof ReturnType<typeof ta>['permissions']['topics']

/** Permissions for features that the server lacks. */
type UnsupportedPermission = 'can_manage_billing_group' | 'can_summarize_topics_group'

const TOPIC_BY_PERMISSION = {
  can_create_public_channel_group: 'channels',
  can_create_private_channel_group: 'channels',
  can_create_web_public_channel_group: 'channels',
  can_add_subscribers_group: 'channels',
  can_set_topics_policy_group: 'channels',
  can_set_delete_message_policy_group: 'channels',
  can_mention_many_users_group: 'messages',
  can_move_messages_between_topics_group: 'messages',
  can_move_messages_between_channels_group: 'messages',
  can_resolve_topics_group: 'messages',
  can_pin_messages_group: 'messages',
  can_delete_own_message_group: 'messages',
  can_delete_any_message_group: 'messages',
  direct_message_initiator_group: 'directs',
  direct_message_permission_group: 'directs',
  can_access_all_users_group: 'people',
  can_invite_users_group: 'people',
  create_multiuse_invite_group: 'people',
  can_create_groups: 'people',
  can_manage_all_groups: 'people',
  can_create_bots_group: 'things',
  can_create_write_only_bots_group: 'things',
  can_add_custom_emoji_group: 'things',
} as const satisfies Readonly<Record<Exclude<RealmPermission, UnsupportedPermission>, Topic>>

type PermissionTopic = keyof typeof TOPIC_BY_PERMISSION

function permissionSetting(name: PermissionTopic): Setting {
  return {
    id: name,
    kind: 'part',
    isSentence: true,
    title: () => ta().grants.who(ta().permissions.what[name]),
    fixed: () => refusalReason(name),
    Part: () => <Permission name={name} />,
  }
}

/** Organization permissions that imply others. */
const IMPLYING_PERMISSIONS: Partial<Record<PermissionTopic, PermissionTopic>> = {
  can_create_write_only_bots_group: 'can_create_bots_group',
  can_delete_own_message_group: 'can_delete_any_message_group',
}

function Permission({ name }: { readonly name: PermissionTopic }) {
  const { what } = ta().permissions
  const { said, refusal, choose } = useSavedChoice(() => ta().grants.who(what[name]), true)
  const rule = store().read('server_supported_permission_settings').realm[name]
  const choice = realmPermission(name)
  const value = choice.read()
  if (rule === undefined) return null
  const implying = IMPLYING_PERMISSIONS[name]
  const others = implying === undefined ? [] : [realmPermission(implying).read()]
  return (
    <>
      <PermissionGrant
        name={name}
        rule={rule}
        what={what[name]}
        value={value}
        others={{ anywhere: others, inChannel: [] }}
        isFixed={refusalReason(name) !== undefined}
        onChange={async (chosen, before) =>
          choose(
            async () => choice.write(chosen),
            async () => choice.write(before),
            ta().grants.holders(holderNames(before)),
          )
        }
      />
      {said}
      {refusal}
    </>
  )
}

const PERMISSION_NAMES: readonly PermissionTopic[] = keysOf(TOPIC_BY_PERMISSION)

export const permissionGroups: readonly SettingsGroup[] = [...new Set<Topic>(Object.values(TOPIC_BY_PERMISSION))].map(
  (topic) => ({
    title: () => ta().permissions.topics[topic],
    settings: PERMISSION_NAMES.filter((name) => TOPIC_BY_PERMISSION[name] === topic).map(permissionSetting),
  }),
)
