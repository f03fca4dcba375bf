import { t } from '../../../kernel/strings.ts'
import { store } from '../../../platform/client.ts'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { groupName, groupsToGrant } from '../../groups/members.ts'
import { change } from '../actions.ts'
import { mayChangePermission, type GroupValue } from '../rights.ts'
import { channelById, type Channel } from '../state.ts'

const PERMISSIONS = [
  'can_send_message_group',
  'can_subscribe_group',
  'can_add_subscribers_group',
  'can_remove_subscribers_group',
  'can_administer_channel_group',
  'can_resolve_topics_group',
  'can_move_messages_within_channel_group',
  'can_move_messages_out_of_channel_group',
  'can_delete_own_message_group',
  'can_delete_any_message_group',
] as const

type Permission = (typeof PERMISSIONS)[number]

/** Who may do what in a channel. */
export function Permissions({ channelId }: { readonly channelId: number }) {
  const channel = channelById(channelId)
  if (channel === undefined) return null
  return (
    <div class="form">
      {PERMISSIONS.map((name) => (
        <PermissionRow key={name} channel={channel} name={name} value={channel[name]} />
      ))}
    </div>
  )
}

interface PermissionRowProps {
  readonly channel: Channel
  readonly name: Permission
  readonly value: GroupValue
}

function PermissionRow({ channel, name, value }: PermissionRowProps) {
  const [refusal, run] = useRefusal()
  const granting = store().read('server_supported_permission_settings').stream[name]
  if (granting === undefined) return null
  const allowed = groupsToGrant(granting)
  const isOther = typeof value !== 'number' || allowed.every(({ id }) => id !== value)
  return (
    <>
      <label class="field">
        <span>{t().channel.may[name]}</span>
        <select
          class="input"
          disabled={!mayChangePermission(channel, name)}
          value={isOther ? 'other' : String(value)}
          onChange={({ currentTarget }) =>
            void run(async () =>
              change(channel.stream_id, { [name]: { new: Number(currentTarget.value), old: value } }),
            )
          }
        >
          {isOther && <option value="other">{t().channel.chosenPeople}</option>}
          {allowed.map((group) => (
            <option key={group.id} value={String(group.id)}>
              {groupName(group)}
            </option>
          ))}
        </select>
      </label>
      {refusal}
    </>
  )
}
