import { keysOf } from '@parley/server/kernel/keys'
import { ta } from '../../../kernel/administration.ts'
import { store } from '../../../platform/client.ts'
import { useChoosing } from '../../../platform/settings/choosing.tsx'
import { valuesOfRole, type Holders } from '../../groups/holders.ts'
import { Grant } from '../../groups/parts/grant.tsx'
import { grantPermission } from '../actions.ts'
import { mayChangePermission, type GroupValue } from '../rights.ts'
import { channelById, type Channel } from '../state.ts'

type Permission = keyof ReturnType<typeof ta>['permissions']['inChannel']

export function Permissions({ channelId }: { readonly channelId: number }) {
  const known = channelById(channelId)
  if (known === undefined) return null
  // Copies the channel, because events change it in place, and rows rerender only for new objects.
  const channel = { ...known }
  const names: readonly Permission[] = keysOf(ta().permissions.inChannel)
  return (
    <div class="form">
      {names.map((name) => (
        <PermissionRow key={name} channel={channel} name={name} value={channel[name]} />
      ))}
    </div>
  )
}

/** Organization permissions that grant a channel permission in every channel. */
const ORGANIZATION_PERMISSIONS = {
  can_resolve_topics_group: ['realm_can_resolve_topics_group'],
  can_move_messages_within_channel_group: ['realm_can_move_messages_between_topics_group'],
  can_move_messages_out_of_channel_group: ['realm_can_move_messages_between_channels_group'],
  can_delete_any_message_group: ['realm_can_delete_any_message_group'],
  can_delete_own_message_group: ['realm_can_delete_own_message_group', 'realm_can_delete_any_message_group'],
} as const

/** People who have a permission regardless of its setting. Mirrors the server's rules. */
function otherHolders(channel: Channel, name: Permission): Holders {
  const { invite_only: isPrivate } = channel
  const admins = valuesOfRole('administrators')
  switch (name) {
    case 'can_send_message_group':
      return { anywhere: [], inChannel: [] }
    case 'can_administer_channel_group':
    case 'can_remove_subscribers_group':
      return { anywhere: admins, inChannel: [] }
    case 'can_subscribe_group': {
      const members = isPrivate ? [] : valuesOfRole('members')
      return { anywhere: [channel.can_add_subscribers_group, ...members], inChannel: [] }
    }
    case 'can_add_subscribers_group': {
      const insiders = [store().read('realm_can_add_subscribers_group')]
      if (isPrivate) return { anywhere: [], inChannel: insiders }
      return { anywhere: [...admins, channel.can_administer_channel_group, ...insiders], inChannel: [] }
    }
    default: {
      const granted = ORGANIZATION_PERMISSIONS[name].map((one) => store().read(one))
      const implying = name === 'can_delete_own_message_group' ? [channel.can_delete_any_message_group] : []
      const all = [...granted, ...implying]
      return isPrivate ? { anywhere: [], inChannel: all } : { anywhere: all, inChannel: [] }
    }
  }
}

/** Permissions that have an effect only for people who can read the channel. */
const needsContent = (name: Permission): boolean =>
  name === 'can_send_message_group' || name in ORGANIZATION_PERMISSIONS

interface PermissionRowProps {
  readonly channel: Channel
  readonly name: Permission
  readonly value: GroupValue
}

function PermissionRow({ channel, name, value }: PermissionRowProps) {
  const what = ta().permissions.inChannel[name]
  const { said, refusal, choose } = useChoosing(() => ta().grants.who(what))
  const rule = store().read('server_supported_permission_settings').stream[name]
  if (rule === undefined) return null
  const isFixed = !mayChangePermission(channel, name)
  const { stream_id: channelId } = channel
  return (
    <div>
      <Grant
        name={name}
        rule={rule}
        what={what}
        value={value}
        isInChannel={channel.invite_only && needsContent(name)}
        others={otherHolders(channel, name)}
        isFixed={isFixed}
        onChange={(chosen) =>
          void choose(
            async () => grantPermission(channelId, name, value, chosen),
            async () => grantPermission(channelId, name, chosen, value),
          )
        }
      />
      {isFixed && <p class="note">{ta().permissions.onlyReaders}</p>}
      {said}
      {refusal}
    </div>
  )
}
