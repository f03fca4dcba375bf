import { truncate } from '../../kernel/characters.ts'
import { PERMISSIONS } from '../../capabilities/groups/contract/permissions.ts'
import { MAX_RETENTION_DAYS } from '../../capabilities/channels/actions/checked.ts'
import { LIMITS } from '../../capabilities/organizations/contract/organization.ts'
import { UNLIMITED_RETENTION } from '../../capabilities/organizations/contract/settings.ts'
import { caseKey } from '../../kernel/case-key.ts'
import type { Conversion } from '../convert.ts'
import type { Channel, Membership, NewChannel } from '../new-organization.ts'
import { cleanLine, cleanText } from '../texts.ts'
import { convertPermissions } from './permissions.ts'
import {
  zulipDefaultStream,
  zulipFolder,
  zulipRecipient,
  zulipStream,
  zulipSubscription,
  type ZulipStream,
  type ZulipTables,
  readRows,
  toUnixSeconds,
} from './records.ts'
import type { Account } from '../new-account.ts'
import type { ZulipGroups } from './groups.ts'

const PERSON_RECIPIENT = 1
const CHANNEL_RECIPIENT = 2
const GROUP_RECIPIENT = 3
const COLOR_PATTERN = /^#[\da-f]{6}$/i

const TOPICS_POLICIES: Readonly<Record<number, string>> = {
  1: 'inherit',
  2: 'allow_empty_topic',
  3: 'disable_empty_topic',
  4: 'empty_topic_only',
}
const NOTIFICATION_SETTINGS = [
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
] as const

export type Recipient =
  { readonly channel: Channel } | { readonly person: Account } | { readonly memberIds: readonly number[] }

export interface ZulipContext {
  readonly realmId: number
  readonly accounts: ReadonlyMap<number, Account>
  readonly groups: ZulipGroups
  readonly channels: ReadonlyMap<number, Channel>
  readonly recipients: ReadonlyMap<number, Recipient>
  readonly emojiIds: ReadonlyMap<string, string>
  readonly uploads: ReadonlyMap<string, { readonly id: number; readonly path: string }>
}

interface ChannelReferences extends Pick<ZulipContext, 'accounts' | 'groups'> {
  readonly folders: ReadonlyMap<number, number>
}

/** Returns the new ID of each folder by its ID in the export. */
export async function readFolders(
  tables: ZulipTables,
  accounts: ZulipContext['accounts'],
  { organization, leftOut, carried }: Conversion,
): Promise<Map<number, number>> {
  const folders = new Map<number, number>()
  const taken = new Set<string>()
  const rows = readRows('zerver_channelfolder', tables.zerver_channelfolder, zulipFolder, leftOut)
  for (const folder of rows.toSorted((one, other) => (one.order ?? 0) - (other.order ?? 0))) {
    const name = truncate(cleanLine(folder.name), LIMITS.max_channel_folder_name_length)
    const isArchived = folder.is_archived === true
    if (folders.has(folder.id) || (!isArchived && taken.has(caseKey(name)))) {
      leftOut.add('duplicate channel folders', name)
      continue
    }
    if (!isArchived) taken.add(caseKey(name))
    const id = organization.next()
    await organization.addRecord('channel_folders', {
      id,
      name,
      description: truncate(cleanText(folder.description ?? ''), LIMITS.max_channel_folder_description_length),
      rendered_description: null,
      position: folders.size,
      date_created: toUnixSeconds(folder.date_created) ?? null,
      creator_id: accounts.get(folder.creator ?? 0)?.id ?? null,
      is_archived: isArchived,
    })
    folders.set(folder.id, id)
    carried.add('channel folders', name)
  }
  return folders
}

export function readChannels(
  tables: ZulipTables,
  named: ChannelReferences,
  conversion: Conversion,
): Pick<ZulipContext, 'channels' | 'recipients'> {
  const { organization, leftOut } = conversion
  const { accounts } = named
  const given = readRows('zerver_recipient', tables.zerver_recipient, zulipRecipient, leftOut)
  const members = readMembers(tables, accounts, leftOut)
  const recipientOfChannel = new Map(
    given.flatMap(({ id, type, type_id }) => (type === CHANNEL_RECIPIENT ? [[type_id, id] as const] : [])),
  )
  const defaults = new Set(
    readRows('zerver_defaultstream', tables.zerver_defaultstream, zulipDefaultStream, leftOut).map(
      ({ stream }) => stream,
    ),
  )
  const channels = new Map<number, Channel>()
  for (const stream of readRows('zerver_stream', tables.zerver_stream, zulipStream, leftOut)) {
    if (channels.has(stream.id)) continue
    const { id } = stream
    const channel = organization.addChannel(
      { ...convertChannel(stream, named, conversion), isDefault: defaults.has(id) },
      members.get(recipientOfChannel.get(id) ?? 0) ?? new Map<number, Membership>(),
    )
    channels.set(id, channel)
  }
  const recipients = new Map<number, Recipient>()
  for (const { id, type, type_id } of given) {
    const [channel, person] = [channels.get(type_id), accounts.get(type_id)]
    if (type === CHANNEL_RECIPIENT && channel !== undefined) recipients.set(id, { channel })
    if (type === PERSON_RECIPIENT && person !== undefined) recipients.set(id, { person })
    if (type === GROUP_RECIPIENT) recipients.set(id, { memberIds: [...(members.get(id)?.keys() ?? [])] })
  }
  return { channels, recipients }
}

function readMembers(
  tables: ZulipTables,
  accounts: ZulipContext['accounts'],
  leftOut: Conversion['leftOut'],
): Map<number, Map<number, Membership>> {
  const members = new Map<number, Map<number, Membership>>()
  for (const subscription of readRows('zerver_subscription', tables.zerver_subscription, zulipSubscription, leftOut)) {
    const account = accounts.get(subscription.user_profile)
    if (account === undefined || subscription.active === false) continue
    const { recipient, color, is_muted: isMuted = false, pin_to_top: isPinned = false } = subscription
    const ofRecipient = members.get(recipient) ?? new Map<number, Membership>()
    members.set(recipient, ofRecipient)
    const notifications: Record<string, boolean> = {}
    for (const kind of NOTIFICATION_SETTINGS) {
      const isWanted = subscription[kind]
      if (isWanted !== undefined) notifications[kind] = isWanted
    }
    ofRecipient.set(account.id, {
      isMuted,
      isPinned,
      ...(COLOR_PATTERN.test(color ?? '') && color !== undefined ? { color } : {}),
      notifications,
    })
  }
  return members
}

function convertChannel(
  stream: ZulipStream,
  { accounts, groups, folders }: ChannelReferences,
  conversion: Conversion,
): Omit<NewChannel, 'isDefault'> {
  const { id, name, description, folder, topics_policy: policy, message_retention_days: days } = stream
  const { leftOut } = conversion
  // The export does not say whether the server allowed web-public channels.
  if (stream.is_web_public === true) leftOut.add('channels that were public on the web: now open only to members', name)
  const isKeptSo = days === undefined || days === UNLIMITED_RETENTION || (days >= 1 && days <= MAX_RETENTION_DAYS)
  const topicsPolicy = TOPICS_POLICIES[policy ?? 1]
  if (topicsPolicy === undefined) {
    leftOut.add('channel settings with unsupported values: set to the default', name)
  }
  // Deleted messages could not be restored, so unsupported values mean that messages are kept.
  if (!isKeptSo) leftOut.add('channels with an unsupported retention period: their messages are kept forever', name)
  return {
    there: String(id),
    name,
    description: description ?? '',
    isPrivate: stream.invite_only === true,
    isArchived: stream.deactivated === true,
    createdAt: toUnixSeconds(stream.date_created) ?? 0,
    isHistoryShared: stream.invite_only !== true || stream.history_public_to_subscribers === true,
    topicsPolicy,
    creatorId: accounts.get(stream.creator ?? 0)?.id,
    folderId: folders.get(folder ?? 0),
    retentionDays: isKeptSo ? days : UNLIMITED_RETENTION,
    permissions: convertPermissions(stream, PERMISSIONS.stream, groups, `channel ${name}`, conversion),
  }
}
