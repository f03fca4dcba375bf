import { caseKey } from '../../../kernel/case-key.ts'
import type { Input, Output } from '../../../kernel/endpoint.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { SharedActorTx } from '../../../kernel/transaction.ts'
import type { Subject } from '../../../platform/log/overlap.ts'
import { readerOf, type Call } from '../../../platform/request.ts'
import { channelById, isSubscribed } from '../../channels/queries/index.ts'
import { canSeeChannel } from '../../channels/rules/index.ts'
import { normalizeTopic, truncateBotTopic } from '../../channels/rules/topics.ts'
import type { MessagesInConversation } from '../../messages/contract/index.ts'
import { groupByConversation } from '../../messages/queries/stored.ts'
import { mayReadMessage, messagesById, isRecipient, type StoredMessage } from '../../messages/queries/index.ts'
import { findFirstSince, isSlowNarrow, prepareNarrow, findWindow } from '../../history/queries/narrow.ts'
import { markEverythingRead, markRead, markTopicsRead, markUnread } from './unread.ts'
import { unreadInChannel, unreadSql } from '../queries/unread.ts'
import * as contract from '../contract.ts'
import { EDITABLE_FLAGS, MAX_FLAGGED_MESSAGES, type MessageDetails } from '../contract.ts'

/** An unreadable message makes the request fail, unless the actor removes a flag set while it was readable. */
export async function updateMessageFlags(
  call: Call,
  input: Input<typeof contract.updateMessageFlags>,
): Promise<Output<typeof contract.updateMessageFlags>> {
  const { op } = input
  const flag = parseEditableFlag(input.flag)
  const ids = [...new Set(input.messages)].toSorted((a, b) => a - b)
  const ignoredChannels = await call.log.actInSharedTransaction(call.actor, flagConflictSubject(call), (tx) =>
    flagMessages(tx, op, flag, ids),
  )
  // Thrown after the transaction: inside it, an error would roll back other requests in the same batch.
  if (ignoredChannels === undefined) throw new ApiError('BAD_REQUEST', 'Invalid message(s)')
  return { messages: ids, ignored_because_not_subscribed_channels: ignoredChannels }
}

/** Returns channels whose messages were skipped; undefined if a message is missing or not readable. */
async function flagMessages(
  tx: SharedActorTx,
  op: 'add' | 'remove',
  flag: Flag,
  ids: readonly number[],
): Promise<number[] | undefined> {
  const readable = await findReadableMessages(tx, ids)
  const seen = new Set(readable.map((message) => message.id))
  const hidden = ids.filter((messageId) => !seen.has(messageId))
  if (hidden.length > 0 && !(await removesFlagFromAll(tx, op, flag, hidden))) return undefined
  const { changeable, ignoredChannels } = splitByAccess(tx, op, flag, readable)
  await writeFlag(tx, op, flag, changeable, hidden)
  return ignoredChannels
}

export async function updateMessageFlagsForNarrow(
  call: Call,
  input: Input<typeof contract.updateMessageFlagsForNarrow>,
): Promise<Output<typeof contract.updateMessageFlagsForNarrow>> {
  const { op } = input
  const flag = parseEditableFlag(input.flag)
  const before = Math.min(input.num_before, MAX_FLAGGED_MESSAGES)
  const after = Math.min(input.num_after, MAX_FLAGGED_MESSAGES - before)
  const quick = readerOf(call)
  const reader = isSlowNarrow(input.narrow, before + after) ? quick.aside() : quick
  const conditions = await prepareNarrow(reader, input.narrow)
  const window = await findWindow(reader, conditions, { ...input, num_before: before, num_after: after })
  const stored = await messagesById(reader.db, reader.organizationId, window.ids)
  const messages = window.ids.map((messageId) => stored.get(messageId)).filter((message) => message !== undefined)
  const { changeable, ignoredChannels } = splitByAccess(
    { organization: call.log.organization, actor: call.actor },
    op,
    flag,
    messages,
  )
  const updated = await call.log.actInSharedTransaction(call.actor, flagConflictSubject(call), async (tx) => {
    const other = await messagesToChange(tx, op, flag, changeable)
    return writeFlag(tx, op, flag, await findReadableMessages(tx, other))
  })
  return {
    processed_count: window.ids.length,
    updated_count: updated.length,
    ...(input.list_updated ? { updated_messages: updated } : {}),
    first_processed_id: window.ids[0] ?? null,
    last_processed_id: window.ids.at(-1) ?? null,
    found_oldest: window.foundOldest,
    found_newest: window.foundNewest,
    ignored_because_not_subscribed_channels: ignoredChannels,
  }
}

export async function markAllAsRead(call: Call): Promise<Output<typeof contract.markAllAsRead>> {
  await call.log.actInSharedTransaction(call.actor, flagConflictSubject(call), async (tx) => {
    await markEverythingRead(tx)
    tx.emit(
      contract.flagsAdded,
      { operation: 'add', flag: 'read', messages: [], all: true },
      { users: [tx.actor.userId] },
    )
  })
  return { complete: true }
}

export async function markStreamAsRead(
  call: Call,
  { stream_id }: Input<typeof contract.markStreamAsRead>,
): Promise<Output<typeof contract.markStreamAsRead>> {
  const channel = channelById(call.log.organization, stream_id)
  if (channel === undefined || !canSeeChannel(call.log.organization, call.actor, channel)) {
    throw new ApiError('BAD_REQUEST', 'Invalid channel ID')
  }
  await call.log.actInSharedTransaction(call.actor, flagConflictSubject(call), (tx) =>
    markChannelOrTopicRead(tx, stream_id, null),
  )
  return {}
}

/** A topic without readable messages gets the same error as a missing topic. */
export async function markTopicAsRead(
  call: Call,
  { stream_id, topic_name }: Input<typeof contract.markTopicAsRead>,
): Promise<Output<typeof contract.markTopicAsRead>> {
  const channel = channelById(call.log.organization, stream_id)
  if (channel === undefined || !canSeeChannel(call.log.organization, call.actor, channel)) {
    throw new ApiError('BAD_REQUEST', 'Invalid channel ID')
  }
  const topic = normalizeTopic(truncateBotTopic(call.log.organization, call.actor, topic_name))
  const reader = readerOf(call)
  const conditions = await prepareNarrow(reader, [
    { operator: 'channel', operand: stream_id, negated: false },
    { operator: 'topic', operand: topic, negated: false },
  ])
  if ((await findFirstSince(reader, conditions, 0)) === undefined) {
    throw new ApiError('BAD_REQUEST', `No such topic '${topic_name}'`)
  }
  await call.log.actInSharedTransaction(call.actor, flagConflictSubject(call), (tx) =>
    markChannelOrTopicRead(tx, stream_id, caseKey(topic)),
  )
  return {}
}

async function markChannelOrTopicRead(tx: SharedActorTx, channelId: number, topicKey: string | null): Promise<void> {
  const unread = await unreadInChannel(tx.db, tx.organizationId, tx.actor.userId, channelId, topicKey)
  if (unread.length === 0) return
  await markTopicsRead(
    tx,
    unread.map((one) => one.topicId),
  )
  const all = unread.flatMap(({ ids }) => ids).toSorted((a, b) => a - b)
  for (let from = 0; from < all.length; from += MAX_FLAGGED_MESSAGES) {
    const [first = 0, last = 0] = [all[from], all.slice(from, from + MAX_FLAGGED_MESSAGES).at(-1)]
    const conversations = unread.map(({ topic, ids }) => ({
      stream_id: channelId,
      topic,
      message_ids: ids.filter((messageId) => messageId >= first && messageId <= last),
    }))
    emitFlagAdded(
      tx,
      'read',
      conversations.filter(({ message_ids }) => message_ids.length > 0),
    )
  }
}

/** Flags are personal, so only requests from the same user conflict. */
function flagConflictSubject({ actor }: Call): Subject {
  return { kind: 'flag', of: [`user ${actor.userId}`] }
}

type Flag = (typeof EDITABLE_FLAGS)[number]

function parseEditableFlag(flag: string): Flag {
  const editable = EDITABLE_FLAGS.find((one) => one === flag)
  if (editable === undefined) throw new ApiError('BAD_REQUEST', `Flag not editable: '${flag}'`)
  return editable
}

function splitByAccess(
  { organization, actor }: Pick<SharedActorTx, 'organization' | 'actor'>,
  op: 'add' | 'remove',
  flag: Flag,
  messages: readonly StoredMessage[],
): { changeable: StoredMessage[]; ignoredChannels: number[] } {
  const isIgnored = ({ channelId }: StoredMessage): boolean =>
    flag === 'read' && op === 'remove' && channelId !== null && !isSubscribed(organization, actor.userId, channelId)
  const channels = messages.filter(isIgnored).map((message) => message.channelId)
  return {
    changeable: messages.filter((message) => !isIgnored(message)),
    ignoredChannels: [...new Set(channels.filter((channelId) => channelId !== null))].toSorted((a, b) => a - b),
  }
}

/** Whether the request removes a flag that all these messages have, which is allowed even if they are unreadable. */
async function removesFlagFromAll(
  tx: SharedActorTx,
  op: 'add' | 'remove',
  flag: Flag,
  messageIds: readonly number[],
): Promise<boolean> {
  if (op === 'add' || flag === 'read') return false
  const flagged = await tx.db.rows(
    `flagged_${flag}`,
    `select message_id from message_flags
     where organization_id = $1 and user_id = $2 and message_id = any($3::bigint[]) and ${flag}`,
    [tx.organizationId, tx.actor.userId, messageIds],
  )
  return flagged.length === messageIds.length
}

async function messagesToChange(
  tx: SharedActorTx,
  op: 'add' | 'remove',
  flag: Flag,
  messages: readonly StoredMessage[],
): Promise<number[]> {
  const isSet =
    flag === 'read'
      ? `not (${unreadSql({ message: 'm' })})`
      : `coalesce((select ${flag} from message_flags f
          where f.organization_id = $1 and f.user_id = $2 and f.message_id = m.id), false)`
  const rows = await tx.db.rows<{ id: number }>(
    'flags_otherwise',
    `select m.id from messages m where m.organization_id = $1 and m.id = any($3::bigint[]) and (${isSet}) = $4
     order by m.id`,
    [tx.organizationId, tx.actor.userId, messages.map((message) => message.id), op === 'remove'],
  )
  return rows.map((row) => row.id)
}

/** Returns the messages that now have the requested state. `hidden` messages can only lose flags. */
async function writeFlag(
  tx: SharedActorTx,
  op: 'add' | 'remove',
  flag: Flag,
  messages: readonly StoredMessage[],
  hidden: readonly number[] = [],
): Promise<number[]> {
  const ids = [...messages.map((message) => message.id), ...hidden].toSorted((a, b) => a - b)
  if (ids.length === 0) return []
  if (op === 'remove' && flag !== 'read') {
    await writeRareFlag(tx, false, flag, ids)
    emitFlagRemoved(tx, flag, ids)
    return ids
  }
  if (op === 'remove') {
    await markUnread(tx, ids)
    return emitMarkedUnread(tx, messages)
  }
  if (flag === 'read') await markRead(tx, ids)
  else await writeRareFlag(tx, true, flag, ids)
  emitFlagAdded(tx, flag, groupByConversation(messages))
  return ids
}

/** Skips messages from before the user joined the channel: they cannot be unread. Returns the newly unread IDs. */
async function emitMarkedUnread(tx: SharedActorTx, messages: readonly StoredMessage[]): Promise<number[]> {
  const ids = await messagesToChange(tx, 'add', 'read', messages)
  if (ids.length === 0) return []
  const changed = new Set(ids)
  const unread = messages.filter((message) => changed.has(message.id))
  emitFlagRemoved(tx, 'read', ids, {
    message_details: messageDetailsById(tx, unread, await selectMentions(tx, unread)),
    conversations: groupByConversation(unread),
  })
  return ids
}

function emitFlagRemoved(
  tx: SharedActorTx,
  flag: Flag,
  messages: readonly number[],
  details: { message_details?: Record<string, MessageDetails>; conversations?: MessagesInConversation[] } = {},
): void {
  const payload = { operation: 'remove' as const, flag, messages: [...messages], all: false, ...details }
  tx.emit(contract.flagsRemoved, payload, { users: [tx.actor.userId] })
}

function emitFlagAdded(tx: SharedActorTx, flag: Flag, conversations: MessagesInConversation[]): void {
  const messages = conversations.flatMap(({ message_ids }) => message_ids).toSorted((a, b) => a - b)
  const payload = { operation: 'add' as const, flag, messages, all: false }
  tx.emit(contract.flagsAdded, flag === 'read' ? { ...payload, conversations } : payload, { users: [tx.actor.userId] })
}

async function findReadableMessages(tx: SharedActorTx, messageIds: readonly number[]): Promise<StoredMessage[]> {
  if (messageIds.length === 0) return []
  const found = await messagesById(tx.db, tx.organizationId, messageIds)
  return [...found.values()]
    .filter((message) => mayReadMessage(tx.organization, tx.actor, message))
    .toSorted((a, b) => a.id - b.id)
}

/** Creates rows only for set flags, because `starred` and `collapsed` are rare. */
async function writeRareFlag(
  tx: SharedActorTx,
  value: boolean,
  column: 'starred' | 'collapsed',
  ids: readonly number[],
): Promise<void> {
  const written = tx.db.rows(
    'write_flags',
    `insert into message_flags (organization_id, user_id, message_id, ${column})
     select $1, $2, id, $4 from unnest($3::bigint[]) as id
     on conflict (organization_id, user_id, message_id) do update set ${column} = excluded.${column}`,
    [tx.organizationId, tx.actor.userId, ids, value],
  )
  // The driver sends both statements at once; the database runs them in this order.
  await Promise.all([written, value ? undefined : deleteEmptyRows(tx, ids)])
}

async function deleteEmptyRows(tx: SharedActorTx, ids: readonly number[]): Promise<void> {
  await tx.db.rows(
    'delete_empty_flags',
    `delete from message_flags where organization_id = $1 and user_id = $2 and message_id = any($3::bigint[])
     and not (starred or collapsed or mentioned or topic_wildcard_mentioned or has_alert_word)`,
    [tx.organizationId, tx.actor.userId, ids],
  )
}

async function selectMentions(tx: SharedActorTx, messages: readonly StoredMessage[]): Promise<Set<number>> {
  const rows = await tx.db
    .selectFrom('message_flags')
    .select('message_id')
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', tx.actor.userId)
    .where(
      'message_id',
      'in',
      messages.map((message) => message.id),
    )
    .where((is) => is.or([is('mentioned', '=', true), is('topic_wildcard_mentioned', '=', true)]))
    .execute()
  const mentionedAsAll = messages.filter(
    (message) => message.mentionsChannel && isRecipient(tx.organization, tx.actor.userId, message),
  )
  return new Set([...rows.map((row) => row.message_id), ...mentionedAsAll.map((message) => message.id)])
}

function messageDetailsById(
  tx: SharedActorTx,
  messages: readonly StoredMessage[],
  mentions: ReadonlySet<number>,
): Record<string, MessageDetails> {
  return Object.fromEntries(
    messages.map((message): [number, MessageDetails] => [
      message.id,
      {
        ...(mentions.has(message.id) ? { mentioned: true } : {}),
        ...(message.channelId === null
          ? { type: 'private', user_ids: (message.memberIds ?? []).filter((userId) => userId !== tx.actor.userId) }
          : { type: 'stream', stream_id: message.channelId, topic: message.topic }),
      },
    ]),
  )
}
