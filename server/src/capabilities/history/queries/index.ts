import type { LoggedEvent } from '../../../kernel/event-binding.ts'
import type { Reader } from '../../../kernel/transaction.ts'
import type { Registration, Viewer } from '../../../kernel/viewer.ts'
import { subscriptionsProjection } from '../../channels/queries/index.ts'
import { isRecipient, mayReadMessage, type StoredMessage } from '../../messages/queries/index.ts'
import { flagsInSentMessage, attachedMessage } from '../../messages/queries/sent.ts'
import { flagNames, type PersonalFacts } from '../../messages/rules/recipients.ts'
import { userById } from '../../users/queries/index.ts'
import { haveMessagesChanged, messageCacheOf, type CachedMessage } from './message-cache.ts'
import { conditionsOfQueue, matchesNarrow } from './narrow.ts'

type ReaderFlags = Omit<PersonalFacts, 'received'>

export interface ReadMessage {
  readonly message: CachedMessage
  readonly readerFlags: ReaderFlags
}

/** After this many attempts, the last result is used even if messages changed while they were read. */
const MAX_ATTEMPTS = 3

/** Reads messages as of one log position, once the state has reached it. The caller checks permissions. */
export async function readMessages(reader: Reader, ids: readonly number[], attempt = 1): Promise<ReadMessage[]> {
  if (ids.length === 0) return []
  const cache = messageCacheOf(reader.organization)
  const { known, position } = await cache.take(ids)
  const missing = ids.filter((id) => !known.has(id))
  const [loaded, flags] = await Promise.all([cache.read(reader, missing), readerFlagsOn(reader, ids, known)])
  await reader.reach(flags.position)
  const messages = [...known.values(), ...loaded.messages]
  const isRight = loaded.isCurrent && !haveMessagesChanged(reader.organization, messages, position)
  if (attempt < MAX_ATTEMPTS && !isRight) return readMessages(reader, ids, attempt + 1)
  return messages
    .toSorted((one, other) => one.stored.id - other.stored.id)
    .map((message) => ({ message, readerFlags: flags.of(message.stored.id) }))
}

const READER_FLAGS = `
  with of_all as materialized (select read from user_reads where organization_id = $1 and user_id = $2),
  open as materialized (
    select i.id, coalesce(i.topic_id, (
      select m.topic_id from messages m where m.organization_id = $1 and m.id = i.id)) as topic_id
    from unnest($3::bigint[], $4::bigint[]) as i(id, topic_id)
    where not coalesce((select read from of_all) @> i.id, false)),
  of_topic as materialized (
    select topic_id, read from topic_reads
    where organization_id = $1 and user_id = $2 and topic_id = any(array(select distinct topic_id from open)))
  select
    array(
      select id from open left join of_topic using (topic_id) where not coalesce(read @> id, false)) as unread,
    (select json_agg(flags) from (
      select message_id as id, starred, collapsed, mentioned, topic_wildcard_mentioned as "topicWildcardMentioned",
             has_alert_word as "hasAlertWord"
      from message_flags where organization_id = $1 and user_id = $2 and message_id = any($3::bigint[])) flags) as flags,
    (select position from organizations where id = $1) as position`

async function readerFlagsOn(
  { db, organizationId, actor }: Reader,
  ids: readonly number[],
  known: ReadonlyMap<number, CachedMessage>,
): Promise<{ position: number; of: (id: number) => ReaderFlags }> {
  const topics = ids.map((id) => known.get(id)?.stored.topicId ?? null)
  const [row] = await db.rows<{
    unread: number[]
    flags: (Omit<ReaderFlags, 'isRead'> & { id: number })[] | null
    position: number
  }>('reader_flags', READER_FLAGS, [organizationId, actor.userId, ids, topics])
  if (row === undefined) throw new Error('a statement without a table answers with no row')
  const unread = new Set(row.unread)
  const flags = new Map((row.flags ?? []).map((one) => [one.id, one]))
  return {
    position: row.position,
    of: (id) => {
      const own = flags.get(id)
      if (own === undefined) return unread.has(id) ? NO_FLAGS : READ_FLAGS
      return { ...own, isRead: !unread.has(id) }
    },
  }
}

const NO_FLAGS = { isRead: false, mentioned: false, topicWildcardMentioned: false, hasAlertWord: false }
const READ_FLAGS = { ...NO_FLAGS, isRead: true }

/** Only messages from the current subscription can be unread; a message never received is `historical`. */
export function flagsOf(reader: Reader, { message: { stored }, readerFlags: notes }: ReadMessage): string[] {
  const isRead = notes.isRead || !canBeUnread(reader, stored)
  const received = isRecipient(reader.organization, reader.actor.userId, stored)
  const { starred, collapsed, mentioned, topicWildcardMentioned, hasAlertWord } = notes
  return flagNames(
    { isRead, received, starred, collapsed, mentioned, topicWildcardMentioned, hasAlertWord },
    stored.mentionsChannel,
  )
}

function canBeUnread(reader: Reader, message: StoredMessage): boolean {
  if (message.channelId === null) return true
  const subscription = reader.organization
    .of(subscriptionsProjection)
    .byUser.get(reader.actor.userId)
    ?.get(message.channelId)
  const present = subscription?.periods.at(-1)
  return present !== undefined && present[1] === null && present[0] <= message.id
}

export function isMessageWanted(event: LoggedEvent, viewer: Viewer, registration: Registration): boolean {
  const role = userById(viewer.organization, viewer.userId)?.role
  const stored = attachedMessage(event)
  if (role === undefined || stored === undefined) return false
  const member = { userId: viewer.userId, role }
  if (!mayReadMessage(viewer.organization, member, stored)) return false
  if (registration.narrow.length === 0) return true
  return matchesNarrow({ ...stored, flags: flagsInSentMessage(event, viewer) }, conditionsOfQueue(registration))
}
