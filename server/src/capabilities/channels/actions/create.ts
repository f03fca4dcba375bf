import type { Input } from '../../../kernel/endpoint.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { ActorTx } from '../../../kernel/transaction.ts'
import { keysOf, recordWith } from '../../../kernel/keys.ts'
import type { ServerFacts } from '../../../platform/server-facts.ts'
import { renderDescription } from '../../../platform/markdown/render.ts'
import type { GroupSettingValue } from '../../groups/contract/index.ts'
import { PERMISSIONS, type ChannelPermission } from '../../groups/contract/permissions.ts'
import { newSettingValue } from '../../groups/rules.ts'
import { requireMayAddToChannels, requireNoNewcomerLinks } from '../../messages/queries/newcomers.ts'
import { activeUsers } from '../../users/rules/index.ts'
import { createNameVisibilityTest } from '../../users/rules/visibility.ts'
import type * as contract from '../contract/index.ts'
import { channelCreated, CHANNEL_LIMIT, MAX_SUBSCRIPTIONS_AT_ONCE, type ChannelRecord } from '../contract/index.ts'
import { channelByName, channelsProjection, presentChannel, type Channel } from '../queries/index.ts'
import { channelAudience, isDefaultChannel, markdownContextFor } from '../rules/index.ts'
import { emitDefaultChannels, insertChannel } from './emit.ts'
import {
  resolveIsDefault,
  validateFolderId,
  validateChannelName,
  validatePrivacy,
  validateRetention,
  validateTopicsPolicy,
  DELETION_PERMISSIONS,
  requireMaySetDeletionPermissions,
} from './checked.ts'
import { addSubscribers } from './subscriptions.ts'

export async function createChannelWithoutNotices(
  tx: ActorTx,
  input: Input<typeof contract.createChannel>,
  server: ServerFacts,
): Promise<{ channel: Channel; subscriberIds: readonly number[] }> {
  // The privacy is checked first, so that actors without permission do not learn which channels exist.
  validatePrivacy(tx, server, requestedPrivacy(input))
  if (channelByName(tx.organization, input.name.trim()) !== undefined) {
    throw new ApiError('CHANNEL_ALREADY_EXISTS', 'Channel name already in use.')
  }
  requireChannelCapacity(1, tx)
  const users = activeUsers(tx.organization, tx.actor, input.subscribers)
  if (users.length > MAX_SUBSCRIPTIONS_AT_ONCE) throw new ApiError('BAD_REQUEST', 'Too many subscriptions at once.')
  const subscriberIds = users.map((user) => user.id)
  await requireMayAddToChannels(tx, tx.actor, subscriberIds)
  const channel = await makeChannel(tx, input, input, subscriberIds, server)
  emitDefaultChannels(tx, [channel].filter(isDefaultChannel))
  return { channel, subscriberIds }
}

function requestedPrivacy(settings: ChannelSettings): Parameters<typeof validatePrivacy>[2] {
  return {
    isPrivate: settings.invite_only,
    isWebPublic: settings.is_web_public,
    historyPublic: settings.history_public_to_subscribers,
  }
}

export interface ChannelSettings extends Partial<Record<ChannelPermission, GroupSettingValue | undefined>> {
  readonly invite_only: boolean
  readonly is_web_public: boolean
  readonly is_default_stream: boolean
  readonly history_public_to_subscribers?: boolean | undefined
  readonly message_retention_days?: number | string | undefined
  readonly topics_policy?: ChannelRecord['topics_policy'] | undefined
  readonly folder_id?: number | null | undefined
}

/** @throws ApiError BAD_REQUEST if `count` more channels would exceed the limit */
export function requireChannelCapacity(count: number, { organization, actor }: ActorTx): void {
  const made = [...organization.of(channelsProjection).byId.values()].filter(
    ({ creatorId }) => creatorId === actor.userId,
  )
  if (made.length + count <= CHANNEL_LIMIT.most) return
  throw new ApiError('BAD_REQUEST', `A user can create at most ${CHANNEL_LIMIT.most} channels.`)
}

export async function makeChannel(
  tx: ActorTx,
  input: { readonly name: string; readonly description?: string | undefined; readonly color?: string | undefined },
  settings: ChannelSettings,
  subscriberIds: readonly number[],
  server: ServerFacts,
): Promise<Channel> {
  const privacy = validatePrivacy(tx, server, requestedPrivacy(settings))
  const description = input.description ?? ''
  await requireNoNewcomerLinks(tx, tx.actor, [input.name, description])
  const id = tx.nextId()
  const channel: Channel = {
    id,
    name: validateChannelName(input.name),
    description,
    renderedDescription: await renderDescription(description, markdownContextFor(tx.organization, tx.actor, server)),
    dateCreated: tx.now,
    creatorId: tx.actor.userId,
    ...privacy,
    webPublicFrom: privacy.isWebPublic ? id : null,
    isHiddenFromSearchEngines: false,
    isDefault: resolveIsDefault(tx, settings.is_default_stream, privacy),
    isArchived: false,
    messageRetentionDays: validateRetention(tx, settings.message_retention_days),
    topicsPolicy: validateTopicsPolicy(tx, settings.topics_policy),
    folderId: await validateFolderId(tx, settings.folder_id),
    firstMessageId: null,
    isRecentlyActive: true,
    weeklyTraffic: null,
    permissions: validateChannelPermissions(tx, settings),
  }
  await insertChannel(tx, channel)
  // Clients need a channel before its subscriptions, so users about to be subscribed get this event, too.
  const knowing = channelAudience(tx.organization, channel)
  const streams = [presentChannel(tx.organization, channel, 0)]
  tx.emit(channelCreated, { streams }, { ...knowing, users: [...(knowing.users ?? []), ...subscriberIds] })
  await addSubscribers(tx, channel, subscriberIds, { isNew: true, color: input.color })
  return channel
}

function validateChannelPermissions(tx: ActorTx, settings: ChannelSettings): Channel['permissions'] {
  if (DELETION_PERMISSIONS.some((name) => settings[name] !== undefined)) requireMaySetDeletionPermissions(tx)
  const mayName = createNameVisibilityTest(tx.organization, tx.actor)
  return recordWith(keysOf(PERMISSIONS.stream), (name) =>
    newSettingValue(tx, name, PERMISSIONS.stream[name], settings[name], mayName),
  )
}
