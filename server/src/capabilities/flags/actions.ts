import type { Input, Output } from '../../kernel/endpoint.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { ActorTx, Tx } from '../../kernel/transaction.ts'
import type { Call } from '../../platform/capability.ts'
import { execute } from '../../platform/db/database.ts'
import { isSubscribed } from '../channels/queries.ts'
import { mayRead, messagesById, wasSentTo, type StoredMessage } from '../messages/queries.ts'
import type { Reach } from '../messages/rules/reach.ts'
import { markRead, markUnread } from '../unread/actions.ts'
import {
  EDITABLE_FLAGS,
  flagsAdded,
  flagsRemoved,
  type MessageDetails,
  type updateMessageFlags as contract,
} from './contract.ts'

/** Sets or takes away a flag of messages that the actor may read; one that it may not read refuses the request. */
export async function updateFlags(call: Call, input: Input<typeof contract>): Promise<Output<typeof contract>> {
  const { flag, op } = input
  if (!EDITABLE_FLAGS.some((editable) => editable === flag)) {
    throw new Refusal('BAD_REQUEST', `Flag not editable: '${flag}'`)
  }
  const ids = [...new Set(input.messages)].toSorted((a, b) => a - b)
  const { world } = call.log
  const stored = await messagesById(call.reads, world.organizationId, ids)
  const readable = ids.map((messageId) => stored.get(messageId)).filter((message) => message !== undefined)
  if (readable.length < ids.length || !readable.every((message) => mayRead(world, call.actor, message))) {
    throw new Refusal('BAD_REQUEST', 'Invalid message(s)')
  }
  const unreadable = (message: StoredMessage): boolean =>
    message.channelId !== null && !isSubscribed(world, call.actor.userId, message.channelId)
  const ignored = flag === 'read' && op === 'remove' ? readable.filter(unreadable) : []
  const changed = readable.filter((message) => !ignored.includes(message))
  if (changed.length > 0) await call.log.actTogether(call.actor, (tx) => writeFlag(tx, op, flag, changed))
  const ignoredChannels = ignored.map((message) => message.channelId).filter((channelId) => channelId !== null)
  return {
    messages: ids,
    ignored_because_not_subscribed_channels: [...new Set(ignoredChannels)].toSorted((a, b) => a - b),
  }
}

async function writeFlag(
  tx: ActorTx,
  op: 'add' | 'remove',
  flag: string,
  messages: readonly StoredMessage[],
): Promise<void> {
  const ids = messages.map((message) => message.id)
  if (flag !== 'read') await writeSparse(tx, op === 'add', flag, ids)
  else if (op === 'add') await markRead(tx, ids)
  else await markUnread(tx, ids)
  const audience = { users: [tx.actor.userId] }
  if (op === 'add') {
    tx.emit(flagsAdded, { operation: 'add', flag, messages: ids, all: false }, audience)
    return
  }
  const details = flag === 'read' ? { message_details: detailsOf(tx, messages, await mentioning(tx, messages)) } : {}
  tx.emit(flagsRemoved, { operation: 'remove', flag, messages: ids, all: false, ...details }, audience)
}

/** A row only where a flag is set: `starred` and `collapsed` are rare. */
async function writeSparse(tx: ActorTx, value: boolean, flag: string, ids: readonly number[]): Promise<void> {
  const column = flag === 'starred' ? 'starred' : 'collapsed'
  await execute(
    tx.db,
    `insert into message_flags (organization_id, user_id, message_id, ${column})
     select $1, $2, id, $4 from unnest($3::bigint[]) as id
     on conflict (organization_id, user_id, message_id) do update set ${column} = excluded.${column}`,
    [tx.organizationId, tx.actor.userId, ids, value],
  )
  if (value) return
  await tx.db
    .deleteFrom('message_flags')
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', tx.actor.userId)
    .where('message_id', 'in', ids)
    .where('starred', '=', false)
    .where('collapsed', '=', false)
    .where('mentioned', '=', false)
    .where('topic_wildcard_mentioned', '=', false)
    .where('has_alert_word', '=', false)
    .execute()
}

/** Those of the messages that mention the actor. */
async function mentioning(tx: ActorTx, messages: readonly StoredMessage[]): Promise<Set<number>> {
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
    (message) => message.mentionsChannel && wasSentTo(tx.world, tx.actor.userId, message),
  )
  return new Set([...rows.map((row) => row.message_id), ...mentionedAsAll.map((message) => message.id)])
}

function detailsOf(
  tx: ActorTx,
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

/** Notes whom a message means whose text has changed. */
export async function rewriteReach(tx: Tx, messageId: number, reach: Reach): Promise<void> {
  const { mentioned, topicMentioned, alerted } = reach
  const meant = [...new Set([...mentioned, ...topicMentioned, ...alerted])]
  await execute(
    tx.db,
    `update message_flags set mentioned = false, topic_wildcard_mentioned = false, has_alert_word = false
     where organization_id = $1 and message_id = $2`,
    [tx.organizationId, messageId],
  )
  await execute(
    tx.db,
    `insert into message_flags
       (organization_id, user_id, message_id, mentioned, topic_wildcard_mentioned, has_alert_word)
     select $1, meant.user_id, $2, meant.user_id = any($4::bigint[]), meant.user_id = any($5::bigint[]),
            meant.user_id = any($6::bigint[])
     from unnest($3::bigint[]) as meant(user_id)
     on conflict (organization_id, user_id, message_id) do update set mentioned = excluded.mentioned,
       topic_wildcard_mentioned = excluded.topic_wildcard_mentioned, has_alert_word = excluded.has_alert_word`,
    [tx.organizationId, messageId, meant, mentioned, topicMentioned, alerted],
  )
  await execute(
    tx.db,
    `delete from message_flags where organization_id = $1 and message_id = $2
     and not (starred or collapsed or mentioned or topic_wildcard_mentioned or has_alert_word)`,
    [tx.organizationId, messageId],
  )
}

/** A flag of one message that a user loses. */
export interface LostFlags {
  readonly user_id: number
  readonly message_id: number
  readonly starred: boolean
}

/** Who has set flags of any of the messages. */
export async function flagsOn(tx: Tx, messageIds: readonly number[]): Promise<LostFlags[]> {
  return execute<LostFlags>(
    tx.db,
    `select user_id, message_id, starred from message_flags
     where organization_id = $1 and message_id = any($2::bigint[]) order by message_id`,
    [tx.organizationId, messageIds],
  )
}

/**
 * Takes flags away that nobody can set any more, because the message is gone or the user may not read it.
 * @param told users who hear it another way
 */
export async function forgetFlags(tx: Tx, lost: readonly LostFlags[], told: ReadonlySet<number>): Promise<void> {
  if (lost.length === 0) return
  await execute(
    tx.db,
    `delete from message_flags f using unnest($2::bigint[], $3::bigint[]) as lost(user_id, message_id)
     where f.organization_id = $1 and f.user_id = lost.user_id and f.message_id = lost.message_id`,
    [tx.organizationId, lost.map((row) => row.user_id), lost.map((row) => row.message_id)],
  )
  const unstarred = new Map<number, number[]>()
  for (const row of lost) {
    if (!row.starred || told.has(row.user_id)) continue
    unstarred.set(row.user_id, [...(unstarred.get(row.user_id) ?? []), row.message_id])
  }
  for (const [userId, messages] of unstarred) {
    tx.emit(flagsRemoved, { operation: 'remove', flag: 'starred', messages, all: false }, { users: [userId] })
  }
}

/** Tells users that messages count as read for them since they were moved. */
export function announceRead(tx: Tx, byUser: ReadonlyMap<number, readonly number[]>): void {
  const together = new Map<string, number[]>()
  for (const [userId, messageIds] of byUser) {
    const key = messageIds.join()
    together.set(key, [...(together.get(key) ?? []), userId])
  }
  for (const [key, users] of together) {
    const messages = key.split(',').map(Number)
    tx.emit(flagsAdded, { operation: 'add', flag: 'read', messages, all: false }, { users })
  }
}
