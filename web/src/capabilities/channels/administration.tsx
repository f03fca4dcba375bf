/* Bundled with the settings pages: see `APART` in `web/build.js`. */
import { ApiError, call } from '@parley/client'
import { incomingMail } from '@parley/server/contract'
import { keysOf } from '@parley/server/kernel/keys'
import { useId, useState } from 'preact/hooks'
import { ta } from '../../kernel/administration.ts'
import { store } from '../../platform/client.ts'
import { copyWithToast } from '../../platform/dom/clipboard.ts'
import { askConfirmation } from '../../platform/overlay/confirm.tsx'
import { useRefusal } from '../../platform/overlay/refusal.tsx'
import { toast } from '../../platform/overlay/toasts.tsx'
import { UserFacingError } from '../../platform/requests.ts'
import { useSavedChoice } from '../../platform/settings/choosing.tsx'
import { SESSION } from '../../platform/sync/sync.ts'
import { holderNames, valuesOfRole, type Holders } from '../groups/holders.ts'
import { PermissionGrant } from '../groups/parts/grant.tsx'
import { withConfirmation } from '../sessions/confirming.ts'
import { grantPermission } from './actions.ts'
import { mayAdminister, mayChangePermission, type GroupValue } from './rights.ts'
import { type Channel, channelById } from './state.ts'

/** Shown on request, because anyone who knows the address can post. */
export function MailAddress({ channel }: { readonly channel: Channel }) {
  const { stream_id: channelId } = channel
  const [address, setAddress] = useState<string>()
  const [refusal, run] = useRefusal()
  const heading = useId()
  const copyIt = async (): Promise<void> => {
    if (address !== undefined) await copyWithToast(address)
  }
  const renew = (): void =>
    askConfirmation({
      text: ta().incomingMail.renewSure,
      action: ta().incomingMail.renew,
      run: () =>
        void run(async () => {
          setAddress(await addressOf(channelId, incomingMail.renewChannelEmailAddress))
          toast(ta().incomingMail.renewed)
        }),
    })
  return (
    <div class="field" role="group" aria-labelledby={heading}>
      <span id={heading}>{ta().incomingMail.title}</span>
      {address !== undefined && (
        <code class="mail-address" dir="ltr">
          {address}
        </code>
      )}
      <span class="note">{ta().incomingMail.more}</span>
      <div class="mail-address-actions">
        {address === undefined ? (
          <button
            class="button"
            onClick={() =>
              void run(async () => setAddress(await addressOf(channelId, incomingMail.getChannelEmailAddress)))
            }
          >
            {ta().incomingMail.show}
          </button>
        ) : (
          <button class="button" onClick={() => void copyIt()}>
            {ta().incomingMail.copy}
          </button>
        )}
        {mayAdminister(channel) && (
          <button class="button danger" onClick={renew}>
            {ta().incomingMail.renew}
          </button>
        )}
      </div>
      {refusal}
    </div>
  )
}

/** @throws UserFacingError if the server does not receive email */
async function addressOf(
  channelId: number,
  endpoint: typeof incomingMail.getChannelEmailAddress | typeof incomingMail.renewChannelEmailAddress,
): Promise<string> {
  try {
    return (await withConfirmation(async () => call(SESSION, endpoint, { stream_id: channelId }))).email
  } catch (error) {
    const isOff = error instanceof ApiError && error.message === incomingMail.NO_INCOMING_MAIL_MESSAGE
    throw isOff ? new UserFacingError(ta().incomingMail.none) : error
  }
}

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

/** People who have a permission whatever its setting says. Mirrors the server's rules. */
function implicitHolders(channel: Channel, name: Permission): Holders {
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
const requiresContentAccess = (name: Permission): boolean =>
  name === 'can_send_message_group' || name in ORGANIZATION_PERMISSIONS

interface PermissionRowProps {
  readonly channel: Channel
  readonly name: Permission
  readonly value: GroupValue
}

function PermissionRow({ channel, name, value }: PermissionRowProps) {
  const what = ta().permissions.inChannel[name]
  const { said, refusal, choose } = useSavedChoice(() => ta().grants.who(what), true)
  const rule = store().read('server_supported_permission_settings').stream[name]
  if (rule === undefined) return null
  const isFixed = !mayChangePermission(channel, name)
  const { stream_id: channelId } = channel
  return (
    <div>
      <PermissionGrant
        name={name}
        rule={rule}
        what={what}
        value={value}
        isInChannel={channel.invite_only && requiresContentAccess(name)}
        others={implicitHolders(channel, name)}
        isFixed={isFixed}
        onChange={async (chosen, before) =>
          choose(
            async () => grantPermission(channelId, name, before, chosen),
            async () => grantPermission(channelId, name, chosen, before),
            ta().grants.holders(holderNames(before)),
          )
        }
      />
      {isFixed && <p class="note">{ta().permissions.onlyReaders}</p>}
      {said}
      {refusal}
    </div>
  )
}
