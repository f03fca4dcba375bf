import { keysOf } from '@parley/server/kernel/keys'
import { ta } from '../../../kernel/administration.ts'
import { store } from '../../../platform/client.ts'
import { useChoosing } from '../../../platform/settings/choosing.tsx'
import { Grant } from '../../groups/parts/grant.tsx'
import { grantPermission } from '../actions.ts'
import { mayChangePermission, type GroupValue } from '../rights.ts'
import { channelById, type Channel } from '../state.ts'

type Permission = keyof ReturnType<typeof ta>['permissions']['inChannel']

export function Permissions({ channelId }: { readonly channelId: number }) {
  const channel = channelById(channelId)
  if (channel === undefined) return null
  const names: readonly Permission[] = keysOf(ta().permissions.inChannel)
  return (
    <div class="form">
      {names.map((name) => (
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
