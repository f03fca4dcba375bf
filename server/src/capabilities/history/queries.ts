import type { Reader } from '../../kernel/transaction.ts'
import { channelById, channelsFold, isOpen, subscriptionsFold } from '../channels/queries.ts'
import { readable } from '../channels/rules.ts'
import { FROM_MESSAGES, STORED_MESSAGE, wasSentTo, type StoredMessage } from '../messages/queries.ts'
import { flagNames, type PersonalFacts } from '../messages/rules/reach.ts'
import { conditionSql, type Bind } from '../narrow/queries.ts'
import type { Condition } from '../narrow/rules.ts'

/** A message with what its reader has noted about it. */
export interface ReadMessage extends StoredMessage, Omit<PersonalFacts, 'received'> {}

/** The part of a `where` that says which messages a reader may see and asks for, with its parameters. */
interface Filter {
  readonly where: string
  readonly values: readonly unknown[]
}

/** $1 is the organization and $2 the reader, always. */
const OWN_PARAMETERS = 2

/**
 * Which messages a narrow stands for. Named channels are looked at as a whole, as far as the reader may; without one
 * it is what the reader received: channels while subscribed, and direct conversations.
 */
export function filterOf(reader: Reader, conditions: readonly Condition[]): Filter {
  const values: unknown[] = []
  const bind: Bind = (value) => {
    values.push(value)
    return `$${values.length + OWN_PARAMETERS}`
  }
  const wheres = conditions.map((condition) => conditionSql(condition, bind))
  wheres.push(accessSql(reader, conditions, bind))
  return { where: wheres.join(' and '), values }
}

/** Sent to the reader: during a subscription, or in a direct conversation. The planner must not make a join of it. */
const RECEIVED = `case when m.channel_id is null
  then (select true from conversations c join conversation_members cm
        on cm.organization_id = $1 and cm.user_id = $2 and cm.conversation_id = c.id
        where c.organization_id = $1 and c.topic_id = m.topic_id)
  else (select s.periods @> m.id from subscriptions s
        where s.organization_id = $1 and s.user_id = $2 and s.channel_id = m.channel_id) end`

function accessSql(reader: Reader, conditions: readonly Condition[], bind: Bind): string {
  const named = conditions.find((condition) => condition.kind === 'channel' && !condition.negated)
  if (named?.kind === 'channel') {
    const part = channelPart(reader, named.channelId)
    if (part === 'all') return 'true'
    return part === 'none' ? 'false' : RECEIVED
  }
  const hidden = unreadableChannels(reader)
  const visible = hidden.length === 0 ? 'true' : `coalesce(m.channel_id <> all(${bind(hidden)}::bigint[]), true)`
  // One message asked for by its id may be any that the reader may read.
  if (conditions.some((condition) => condition.kind === 'id' && !condition.negated)) {
    const open = openChannels(reader)
    return `(${RECEIVED} is true or m.channel_id = any(${bind(open)}::bigint[])) and ${visible}`
  }
  return `${visible} and ${RECEIVED}`
}

function channelPart(reader: Reader, channelId: number): ReturnType<typeof readable> {
  const channel = channelById(reader.world, channelId)
  return channel === undefined ? 'none' : readable(reader.world, reader.actor, channel)
}

/** Channels the reader was subscribed to and may no longer read: leaving a private channel takes its history along. */
function unreadableChannels(reader: Reader): number[] {
  const mine = reader.world.of(subscriptionsFold).byUser.get(reader.actor.userId)
  return [...(mine?.values() ?? [])]
    .filter((subscription) => !isOpen(subscription) && channelPart(reader, subscription.channelId) === 'none')
    .map((subscription) => subscription.channelId)
}

function openChannels(reader: Reader): number[] {
  return [...reader.world.of(channelsFold).byId.keys()].filter((id) => channelPart(reader, id) === 'all')
}

/** Ids in the narrow on one side of a position, nearest first. */
export async function idsBeside(
  reader: Reader,
  filter: Filter,
  side: 'before' | 'after',
  position: number,
  limit: number,
): Promise<number[]> {
  const next = filter.values.length + OWN_PARAMETERS
  const [compare, order] = side === 'before' ? ['<', 'desc'] : ['>', 'asc']
  const text = `select m.id from messages m
    join topics t on t.organization_id = $1 and t.id = m.topic_id
    where m.organization_id = $1 and $2::bigint is not null and m.id ${compare} $${next + 1} and ${filter.where}
    order by m.id ${order} limit $${next + 2}`
  const rows = await reader.db.rows<{ id: number }>('', text, [
    reader.organizationId,
    reader.actor.userId,
    ...filter.values,
    position,
    limit,
  ])
  return rows.map((row) => row.id)
}

/** The oldest unread message in the narrow. */
export async function firstUnread(reader: Reader, filter: Filter): Promise<number | undefined> {
  const text = `select m.id from messages m
    join topics t on t.organization_id = $1 and t.id = m.topic_id
    where m.organization_id = $1 and ${filter.where}
    and not coalesce((select read @> m.id from user_reads where organization_id = $1 and user_id = $2), false)
    and not coalesce((select read @> m.id from topic_reads
                      where organization_id = $1 and user_id = $2 and topic_id = m.topic_id), false)
    and (m.channel_id is null or coalesce((
      select m.id >= lower(period) from subscriptions s cross join lateral unnest(s.periods) as period
      where s.organization_id = $1 and s.user_id = $2 and s.channel_id = m.channel_id and upper_inf(period)), false))
    order by m.id limit 1`
  const [row] = await reader.db.rows<{ id: number }>('', text, [
    reader.organizationId,
    reader.actor.userId,
    ...filter.values,
  ])
  return row?.id
}

/** The ids of those that are in the narrow. */
export async function idsAmong(reader: Reader, filter: Filter, ids: readonly number[]): Promise<number[]> {
  const text = `select m.id from messages m
    join topics t on t.organization_id = $1 and t.id = m.topic_id
    where m.organization_id = $1 and $2::bigint is not null
    and m.id = any($${filter.values.length + OWN_PARAMETERS + 1}::bigint[]) and ${filter.where}
    order by m.id`
  const rows = await reader.db.rows<{ id: number }>('', text, [
    reader.organizationId,
    reader.actor.userId,
    ...filter.values,
    ids,
  ])
  return rows.map((row) => row.id)
}

/** Messages with the reader's flags, in the order of their ids. Whether they may be read is the caller's question. */
export async function readMessages(reader: Reader, ids: readonly number[]): Promise<ReadMessage[]> {
  if (ids.length === 0) return []
  const rows = await reader.db.rows<ReadMessage>(
    'read_messages',
    `select ${STORED_MESSAGE},
       coalesce(u.read @> m.id, false) or coalesce(r.read @> m.id, false) as "isRead", f.starred, f.collapsed,
       f.mentioned, f.topic_wildcard_mentioned as "topicWildcardMentioned", f.has_alert_word as "hasAlertWord"
     from ${FROM_MESSAGES}
     left join user_reads u on u.organization_id = $1 and u.user_id = $2
     left join topic_reads r on r.organization_id = $1 and r.user_id = $2 and r.topic_id = m.topic_id
     left join message_flags f on f.organization_id = $1 and f.user_id = $2 and f.message_id = m.id
     where m.organization_id = $1 and m.id = any($3::bigint[]) order by m.id`,
    [reader.organizationId, reader.actor.userId, ids],
  )
  await reader.reach(Math.max(0, ...rows.map((row) => Math.max(row.id, row.channelId ?? 0))))
  return rows
}

/**
 * What clients show of a message's state. Only what was sent during the present subscription can be unread; what was
 * never sent to the reader is `historical`.
 */
export function flagsOf(reader: Reader, message: ReadMessage): string[] {
  const isRead = message.isRead || !canBeUnread(reader, message)
  const received = wasSentTo(reader.world, reader.actor.userId, message)
  return flagNames({ ...message, isRead, received }, message.mentionsChannel)
}

function canBeUnread(reader: Reader, message: ReadMessage): boolean {
  if (message.channelId === null) return true
  const subscription = reader.world.of(subscriptionsFold).byUser.get(reader.actor.userId)?.get(message.channelId)
  const present = subscription?.periods.at(-1)
  return present !== undefined && present[1] === null && present[0] <= message.id
}
