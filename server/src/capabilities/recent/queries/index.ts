import type { Input, Output } from '../../../kernel/endpoint.ts'
import type { Reader } from '../../../kernel/transaction.ts'
import { presentTopic } from '../../channels/rules/topics.ts'
import type * as contract from '../contract.ts'
import { MAX_SNIPPET_CHARACTERS, type RecentConversation } from '../contract.ts'
import { accessToOne, accessToOwn, type Access } from './access.ts'
import { chosenSql, type ConversationQuery } from './finding.ts'
import { rowsSql, type ConversationRow } from './rows.ts'
import { snippetOf } from './snippet.ts'

/** Larger than any message ID. */
const BEYOND = 9_007_199_254_740_991

const ATTEMPTS = 3

export async function getRecentConversations(
  reader: Reader,
  input: Input<typeof contract.getRecentConversations>,
): Promise<Output<typeof contract.getRecentConversations>> {
  const { channel_id: channelId } = input
  const readAccess = (): Access => (channelId === undefined ? accessToOwn(reader) : accessToOne(reader, channelId))
  const wanted: ConversationQuery = {
    limit: input.limit,
    before: input.before ?? BEYOND,
    unread: input.unread,
    participated: input.participated,
    unresolved: input.unresolved,
    followed: input.followed,
    muted: input.muted,
    direct: channelId === undefined,
  }
  const found = await readPage(reader, readAccess, wanted)
  return {
    conversations: found.rows.map((row) => presentRow(reader, row, input.allow_empty_topic_name)),
    found_oldest: found.isLast,
  }
}

interface Page {
  readonly rows: readonly ConversationRow[]
  readonly isLast: boolean
}

/** Reads a page with the permissions at the same log position, which the state has reached. */
async function readPage(
  reader: Reader,
  readAccess: () => Access,
  wanted: ConversationQuery,
  attempt = 1,
): Promise<Page> {
  const access = readAccess()
  const values: unknown[] = [reader.organizationId, reader.actor.userId]
  const bind = (value: unknown): string => `$${values.push(value)}`
  const limit = `${bind(wanted.limit)}::int`
  const text = `with ${chosenSql(reader, access, wanted, bind)},
page as (with ${rowsSql({ chosen: 'chosen', limit })})
select (select position from organizations where id = $1) as position,
  (select count(*) <= ${limit} from chosen) as "isLast", (select json_agg(page) from page) as rows`
  const [answer] = await reader.db.rows<{ position: number; isLast: boolean; rows: ConversationRow[] | null }>(
    '',
    text,
    values,
  )
  if (answer === undefined) throw new Error('a statement without a table answers with no row')
  await reader.reach(answer.position)
  const now = readAccess()
  const { rows, isLast } = { ...answer, rows: answer.rows ?? [] }
  if (JSON.stringify(now) === JSON.stringify(access)) return { rows, isLast }
  if (attempt < ATTEMPTS) return readPage(reader, readAccess, wanted, attempt + 1)
  const isStillReadable = ({ channelId }: ConversationRow): boolean =>
    channelId === null ||
    now.open.includes(channelId) ||
    (now.guarded.includes(channelId) && access.guarded.includes(channelId))
  return { rows: rows.filter(isStillReadable), isLast }
}

function presentRow({ actor }: Reader, row: ConversationRow, emptyTopicName: boolean): RecentConversation {
  const place: Partial<RecentConversation> & Pick<RecentConversation, 'type'> =
    row.channelId === null
      ? { type: 'private', user_ids: (row.memberIds ?? []).filter((userId) => userId !== actor.userId) }
      : { type: 'stream', stream_id: row.channelId, topic: presentTopic(row.topic, emptyTopicName) }
  return {
    ...place,
    max_message_id: row.newestId,
    sender_id: row.senderId,
    timestamp: row.dateSent,
    snippet: snippetOf(row.html, MAX_SNIPPET_CHARACTERS),
    first_unread_message_id: row.firstUnreadId,
    unread_count: row.unreadCount,
    unread_mention_count: row.mentionCount,
    latest_sender_ids: [...row.latestSenderIds],
    participant_count: row.participantCount,
  }
}
