import { caseKey } from '../../../kernel/case-key.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { ActorTx } from '../../../kernel/transaction.ts'
import type { ServerFacts } from '../../../platform/capability.ts'
import { renderDescription } from '../../../platform/markdown/render.ts'
import type { GroupSettingValue } from '../../groups/contract/index.ts'
import { PERMISSIONS, type ChannelPermission } from '../../groups/contract/permissions.ts'
import { checkedSetting, isCovered } from '../../groups/rules.ts'
import { groupSetting } from '../../organizations/queries.ts'
import { isAdministrator } from '../../users/rules.ts'
import { ROLE } from '../../../kernel/actor.ts'
import { channelCreated, defaultChannelsChanged, type ChannelRecord } from '../contract/index.ts'
import { channelsFold, presentChannel, type Channel } from '../queries.ts'
import { defaultChannels, linkableBy, mayCreate } from '../rules.ts'

/** The parameters that configure a new channel, as the endpoints that can make one take them. */
export interface ChannelSettings extends Partial<Record<ChannelPermission, GroupSettingValue | undefined>> {
  readonly invite_only: boolean
  readonly is_web_public: boolean
  readonly is_default_stream: boolean
  readonly history_public_to_subscribers?: boolean | undefined
  readonly message_retention_days?: number | string | undefined
  readonly topics_policy?: ChannelRecord['topics_policy'] | undefined
  readonly folder_id?: number | undefined
}

/** Control characters would make two names look the same. */
const UNPRINTABLE = /[\p{Cc}\p{Noncharacter_Code_Point}]/u
/** Without one of these a name cannot be seen. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

/** Makes a channel without subscribers, and tells who may know of it. */
export async function createChannel(
  tx: ActorTx,
  input: { readonly name: string; readonly description?: string | undefined },
  settings: ChannelSettings,
  server: ServerFacts,
): Promise<Channel> {
  if (!mayCreate(tx.world, tx.actor, settings.invite_only)) throw new Refusal('BAD_REQUEST', 'Insufficient permission')
  const permissions = Object.fromEntries(
    Object.entries(PERMISSIONS.stream).map(([name, permission]) => [
      name,
      // `name` is one of the permissions that the settings are declared over.
      checkedSetting(tx, name, permission, settings[name as ChannelPermission]),
    ]),
  ) as Channel['permissions']
  const description = input.description ?? ''
  const channel: Channel = {
    id: tx.take(),
    name: checkedName(input.name),
    description,
    renderedDescription: await renderDescription(description, linkableBy(tx.world, tx.actor, server.urlOf(tx.world))),
    dateCreated: tx.now,
    creatorId: tx.actor.userId,
    inviteOnly: settings.invite_only,
    isWebPublic: false,
    historyPublic: checkedHistory(settings),
    isDefault: checkedDefault(tx, settings),
    isArchived: false,
    messageRetentionDays: checkedRetention(tx, settings.message_retention_days),
    topicsPolicy: checkedTopicsPolicy(tx, settings.topics_policy),
    folderId: settings.folder_id === undefined ? null : await checkedFolder(tx, settings.folder_id),
    firstMessageId: null,
    permissions,
  }
  if (settings.is_web_public) throw new Refusal('BAD_REQUEST', 'Web-public channels are not enabled.')
  await tx.db
    .insertInto('channels')
    .values({
      organization_id: tx.organizationId,
      id: channel.id,
      name: channel.name,
      name_key: caseKey(channel.name),
      description: channel.description,
      rendered_description: channel.renderedDescription,
      date_created: channel.dateCreated,
      creator_id: channel.creatorId,
      invite_only: channel.inviteOnly,
      is_web_public: channel.isWebPublic,
      history_public_to_subscribers: channel.historyPublic,
      is_default: channel.isDefault,
      is_archived: channel.isArchived,
      message_retention_days: channel.messageRetentionDays,
      topics_policy: channel.topicsPolicy,
      folder_id: channel.folderId,
      first_message_id: channel.firstMessageId,
      permissions: JSON.stringify(channel.permissions),
    })
    .execute()
  tx.change(channelsFold, channel)
  return channel
}

/** Tells a new channel to those who may know of it: they learn of it before anybody is subscribed. */
export function announceChannel(tx: ActorTx, channel: Channel, audience: Parameters<ActorTx['emit']>[2]): void {
  tx.emit(channelCreated, { streams: [presentChannel(tx.world, channel, 0)] }, audience)
}

/** Tells of the new channels that new users are subscribed to. */
export function announceDefaults(tx: ActorTx, created: readonly Channel[]): void {
  const added = created.filter((channel) => channel.isDefault).map((channel) => channel.id)
  if (added.length === 0) return
  const all = [...defaultChannels(tx.world, tx.actor), ...added]
  tx.emit(defaultChannelsChanged, { default_streams: all }, { roleAtMost: ROLE.member })
}

function checkedName(name: string): string {
  const trimmed = name.trim()
  if (!VISIBLE.test(trimmed)) throw new Refusal('BAD_REQUEST', "Channel name can't be empty.")
  if (UNPRINTABLE.test(trimmed)) throw new Refusal('BAD_REQUEST', 'Invalid character in channel name.')
  return trimmed
}

/** Public channels share their history with everybody; private ones when asked to. */
function checkedHistory(settings: ChannelSettings): boolean {
  if (settings.invite_only) return settings.history_public_to_subscribers ?? false
  if (settings.history_public_to_subscribers === false) {
    throw new Refusal('BAD_REQUEST', 'Invalid parameters: a public channel has public history.')
  }
  return true
}

function checkedDefault(tx: ActorTx, settings: ChannelSettings): boolean {
  if (!settings.is_default_stream) return false
  if (!isAdministrator(tx.actor)) throw new Refusal('BAD_REQUEST', 'Insufficient permission')
  if (settings.invite_only) throw new Refusal('BAD_REQUEST', 'A default channel cannot be private.')
  return true
}

const FOR_EVER = -1

function checkedRetention(tx: ActorTx, days: number | string | undefined): number | null {
  if (days === undefined || days === 'realm_default') return null
  if (tx.actor.role !== ROLE.owner) throw new Refusal('BAD_REQUEST', 'Must be an organization owner')
  if (days === 'unlimited') return FOR_EVER
  const MAX_DAYS = 365_000
  if (typeof days !== 'number' || days < 1 || days > MAX_DAYS) {
    throw new Refusal('BAD_REQUEST', "Bad value for 'message_retention_days'")
  }
  return days
}

function checkedTopicsPolicy(tx: ActorTx, policy: ChannelRecord['topics_policy'] = 'inherit'): Channel['topicsPolicy'] {
  if (policy !== 'inherit' && !isCovered(tx.world, tx.actor, groupSetting(tx.world, 'can_set_topics_policy_group'))) {
    throw new Refusal('BAD_REQUEST', 'Insufficient permission')
  }
  return policy
}

async function checkedFolder(tx: ActorTx, folderId: number): Promise<number> {
  const folder = await tx.db
    .selectFrom('channel_folders')
    .select('id')
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', folderId)
    .where('is_archived', '=', false)
    .executeTakeFirst()
  if (folder === undefined) throw new Refusal('BAD_REQUEST', 'Invalid channel folder ID')
  return folder.id
}
