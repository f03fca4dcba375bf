import { caseKey } from '../../../kernel/case-key.ts'
import type { Input } from '../../../kernel/endpoint.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { ActorTx } from '../../../kernel/transaction.ts'
import { keysOf } from '../../../kernel/keys.ts'
import type { ServerFacts } from '../../../platform/server-facts.ts'
import { renderDescription } from '../../../platform/markdown/render.ts'
import type { GroupSettingUpdate } from '../../groups/contract/index.ts'
import { PERMISSIONS } from '../../groups/contract/permissions.ts'
import { changedSettingValue } from '../../groups/rules.ts'
import { requireNoNewcomerLinks } from '../../messages/queries/newcomers.ts'
import { isAdministrator } from '../../users/rules/index.ts'
import { createNameVisibilityTest } from '../../users/rules/visibility.ts'
import type * as contract from '../contract/administering.ts'
import { channelByName, channelById, type Channel } from '../queries/index.ts'
import {
  requireAdministeredChannel,
  CONTENT_PERMISSIONS,
  hasContentAccess,
  markdownContextFor,
  canSeeChannel,
} from '../rules/index.ts'
import { changeChannel } from './emit.ts'
import {
  resolveIsDefault,
  validateFolderId,
  validateChannelName,
  validatePrivacy,
  validateRetention,
  validateTopicsPolicy,
  DELETION_PERMISSIONS,
  requireMaySetDeletionPermissions,
  requireOnlyEmptyTopic,
  type ChannelPrivacy,
} from './checked.ts'

type UpdateInput = Input<typeof contract.updateChannel>

export interface ChannelChange {
  readonly before: Channel
  readonly after: Channel
}

export async function updateChannelWithoutNotices(
  tx: ActorTx,
  input: UpdateInput,
  server: ServerFacts,
): Promise<ChannelChange> {
  const before = requireAdministeredChannel(tx.organization, tx.actor, input.stream_id)
  const privacy = newChannelPrivacy(tx, before, input, server)
  if (input.new_name !== undefined) await requireNoNewcomerLinks(tx, tx.actor, [input.new_name])
  const isArchived = isArchivedAfterUpdate(before, input.is_archived)
  const after: Channel = {
    ...before,
    ...privacy,
    webPublicFrom: webPublicFromAfterUpdate(tx, before, privacy),
    ...(await renderNewDescription(tx, before, input.description, server)),
    name: newChannelName(tx, before, input.new_name),
    isDefault: resolveIsDefault(tx, input.is_default_stream, { ...privacy, isArchived }, before.isDefault),
    isArchived,
    messageRetentionDays: validateRetention(tx, input.message_retention_days, before.messageRetentionDays),
    topicsPolicy: validateTopicsPolicy(tx, input.topics_policy, before.topicsPolicy),
    folderId: await validateFolderId(tx, input.folder_id, before.folderId),
    permissions: newChannelPermissions(tx, before, input),
  }
  if (after.topicsPolicy === 'empty_topic_only' && before.topicsPolicy !== after.topicsPolicy) {
    await requireOnlyEmptyTopic(tx, before)
  }
  await changeChannel(tx, before, after)
  return { before, after }
}

export async function archiveChannelWithoutNotices(
  tx: ActorTx,
  input: Input<typeof contract.archiveChannel>,
): Promise<ChannelChange> {
  const before = requireAdministeredChannel(tx.organization, tx.actor, input.stream_id)
  if (before.isArchived) throw new ApiError('BAD_REQUEST', 'Channel is already archived.')
  const after = { ...before, isArchived: true, isDefault: false }
  await changeChannel(tx, before, after)
  return { before, after }
}

export async function addDefaultChannel(
  tx: ActorTx,
  input: Input<typeof contract.addDefaultChannel>,
): Promise<Record<string, never>> {
  return setIsDefaultChannel(tx, input.stream_id, true)
}

export async function removeDefaultChannel(
  tx: ActorTx,
  input: Input<typeof contract.removeDefaultChannel>,
): Promise<Record<string, never>> {
  return setIsDefaultChannel(tx, input.stream_id, false)
}

async function setIsDefaultChannel(tx: ActorTx, channelId: number, isDefault: boolean): Promise<Record<string, never>> {
  if (!isAdministrator(tx.actor)) throw new ApiError('BAD_REQUEST', 'Must be an organization administrator')
  const channel = channelById(tx.organization, channelId)
  if (channel === undefined || !canSeeChannel(tx.organization, tx.actor, channel)) {
    throw new ApiError('BAD_REQUEST', 'Invalid channel ID')
  }
  if (channel.isDefault === isDefault) return {}
  resolveIsDefault(tx, isDefault, channel, channel.isDefault)
  await changeChannel(tx, channel, { ...channel, isDefault })
  return {}
}

function newChannelName(tx: ActorTx, before: Channel, wanted: string | undefined): string {
  if (wanted === undefined) return before.name
  const name = validateChannelName(wanted)
  if (caseKey(name) !== caseKey(before.name) && channelByName(tx.organization, name) !== undefined) {
    throw new ApiError('BAD_REQUEST', 'Channel name already in use.')
  }
  return name
}

async function renderNewDescription(
  tx: ActorTx,
  before: Channel,
  description: string | undefined,
  server: ServerFacts,
): Promise<Partial<Pick<Channel, 'description' | 'renderedDescription'>>> {
  if (description === undefined || description === before.description) return {}
  await requireNoNewcomerLinks(tx, tx.actor, [description])
  const context = markdownContextFor(tx.organization, tx.actor, server)
  return { description, renderedDescription: await renderDescription(description, context) }
}

function newChannelPrivacy(tx: ActorTx, before: Channel, input: UpdateInput, server: ServerFacts): ChannelPrivacy {
  const wanted = {
    isPrivate: input.is_private,
    isWebPublic: input.is_web_public,
    historyPublic: input.history_public_to_subscribers,
  }
  const after = validatePrivacy(tx, server, wanted, before)
  const isSame =
    after.inviteOnly === before.inviteOnly &&
    after.isWebPublic === before.isWebPublic &&
    after.historyPublic === before.historyPublic
  if (!isSame) requireContentAccess(tx, before)
  return after
}

function webPublicFromAfterUpdate(tx: ActorTx, before: Channel, { isWebPublic }: ChannelPrivacy): number | null {
  if (!isWebPublic) return null
  // Null if a server running the previous version made the channel web-public.
  return before.webPublicFrom ?? tx.nextId()
}

/** Prevents actors from granting access to content that they cannot read themselves. */
function requireContentAccess(tx: ActorTx, channel: Channel): void {
  if (!hasContentAccess(tx.organization, tx.actor, channel)) {
    throw new ApiError('BAD_REQUEST', 'Channel content access is required.')
  }
}

function isArchivedAfterUpdate(before: Channel, wanted: boolean | undefined): boolean {
  if (wanted === undefined) return before.isArchived
  // Both `true` and `false` unarchive the channel, because archiving has its own endpoint.
  if (!before.isArchived) throw new ApiError('BAD_REQUEST', 'Channel is not archived.')
  return false
}

function newChannelPermissions(tx: ActorTx, before: Channel, input: UpdateInput): Channel['permissions'] {
  const after = { ...before.permissions }
  const mayName = createNameVisibilityTest(tx.organization, tx.actor)
  for (const name of keysOf(PERMISSIONS.stream)) {
    const update: GroupSettingUpdate | undefined = input[name]
    const value = changedSettingValue(tx, name, PERMISSIONS.stream[name], before.permissions[name], update, mayName)
    if (value === undefined) continue
    if (CONTENT_PERMISSIONS.some((granting) => granting === name)) requireContentAccess(tx, before)
    if (DELETION_PERMISSIONS.includes(name)) requireMaySetDeletionPermissions(tx)
    after[name] = value
  }
  return after
}
