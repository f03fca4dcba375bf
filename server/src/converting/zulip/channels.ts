import type { Conversion } from '../convert.ts'
import type { Account, Channel, Membership } from '../new-organization.ts'
import type { KnownOfZulip, Recipient } from './known.ts'
import { zulipDefaultStream, zulipRecipient, zulipStream, zulipSubscription, type ZulipTables } from './records.ts'
import { rowsOf } from './rows.ts'

const TO_PERSON = 1
const TO_CHANNEL = 2
const TO_SEVERAL = 3
const COLOR = /^#[\da-f]{6}$/i

/** Channels with who is in them, and who receives what is sent to which number. */
export function readChannels(
  tables: ZulipTables,
  accounts: ReadonlyMap<number, Account>,
  { organization, leftOut }: Conversion,
): Pick<KnownOfZulip, 'channels' | 'recipients'> {
  const given = rowsOf('zerver_recipient', tables.zerver_recipient, zulipRecipient, leftOut)
  const members = new Map<number, Map<number, Membership>>()
  for (const subscription of rowsOf('zerver_subscription', tables.zerver_subscription, zulipSubscription, leftOut)) {
    const account = accounts.get(subscription.user_profile)
    if (account === undefined || subscription.active === false) continue
    const { recipient, color, is_muted: isMuted = false, pin_to_top: isPinned = false } = subscription
    const ofRecipient = members.get(recipient) ?? new Map<number, Membership>()
    members.set(recipient, ofRecipient)
    ofRecipient.set(account.id, {
      isMuted,
      isPinned,
      ...(COLOR.test(color ?? '') && color !== undefined ? { color } : {}),
    })
  }
  const recipientOfChannel = new Map(
    given.flatMap(({ id, type, type_id }) => (type === TO_CHANNEL ? [[type_id, id] as const] : [])),
  )
  const defaults = new Set(
    rowsOf('zerver_defaultstream', tables.zerver_defaultstream, zulipDefaultStream, leftOut).map(
      ({ stream }) => stream,
    ),
  )
  const channels = new Map<number, Channel>()
  for (const stream of rowsOf('zerver_stream', tables.zerver_stream, zulipStream, leftOut)) {
    if (channels.has(stream.id)) continue
    const { id, name, description, date_created: created = 0 } = stream
    const channel = organization.addChannel(
      {
        there: String(id),
        name,
        description: description ?? '',
        isPrivate: stream.invite_only === true,
        isArchived: stream.deactivated === true,
        isDefault: defaults.has(id),
        createdAt: created > 0 && created < 2 ** 32 ? Math.floor(created) : 0,
        isHistoryShared: stream.invite_only !== true || stream.history_public_to_subscribers === true,
      },
      members.get(recipientOfChannel.get(id) ?? 0) ?? new Map<number, Membership>(),
    )
    channels.set(id, channel)
  }
  const recipients = new Map<number, Recipient>()
  for (const { id, type, type_id } of given) {
    const [channel, person] = [channels.get(type_id), accounts.get(type_id)]
    if (type === TO_CHANNEL && channel !== undefined) recipients.set(id, { channel })
    if (type === TO_PERSON && person !== undefined) recipients.set(id, { person })
    if (type === TO_SEVERAL) recipients.set(id, { memberIds: [...(members.get(id)?.keys() ?? [])] })
  }
  return { channels, recipients }
}
