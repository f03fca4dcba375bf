import { markReadSql } from '../../../../flags/queries/unread.ts'
import type { Recipients } from '../../../rules/recipients.ts'
import type { StatementPart } from '../part.ts'

export const flagsPart: StatementPart = {
  name: 'flags',
  sql: () => `
flag as (
  insert into message_flags (organization_id, user_id, message_id, mentioned, topic_wildcard_mentioned, has_alert_word)
  select $organization, flag.user_id, placed.id, flag.mentioned, flag.topic_mentioned, flag.alerted
  from placed
  join unnest(
    $flag_messages::bigint[], $flag_users::bigint[], $mentioned::boolean[], $topic_mentioned::boolean[],
    $alerted::boolean[])
    as flag(n, user_id, mentioned, topic_mentioned, alerted) on flag.n = placed.n)`,
  values({ inserts }) {
    const rows = inserts.flatMap(({ recipients }, index) =>
      userFlagsOf(recipients).map((flag) => ({ n: index + 1, ...flag })),
    )
    return {
      flag_messages: rows.map((flag) => flag.n),
      flag_users: rows.map((flag) => flag.userId),
      mentioned: rows.map((flag) => flag.mentioned),
      topic_mentioned: rows.map((flag) => flag.topicMentioned),
      alerted: rows.map((flag) => flag.alerted),
    }
  },
}

interface UserFlags {
  readonly userId: number
  readonly mentioned: boolean
  readonly topicMentioned: boolean
  readonly alerted: boolean
}

const NO_FLAGS: UserFlags[] = []

function userFlagsOf({ mentioned, topicMentioned, alerted }: Recipients): UserFlags[] {
  if (mentioned.length === 0 && topicMentioned.length === 0 && alerted.length === 0) return NO_FLAGS
  const [named, took, watching] = [new Set(mentioned), new Set(topicMentioned), new Set(alerted)]
  return Array.from(new Set([...mentioned, ...topicMentioned, ...alerted]), (userId) => ({
    userId,
    mentioned: named.has(userId),
    topicMentioned: took.has(userId),
    alerted: watching.has(userId),
  }))
}

/** Marks as read all IDs after the topic's previous message, which can be in the same batch, up to the new message. */
export const readsPart: StatementPart = {
  name: 'read',
  isNeeded: ({ inserts }) => inserts.some(({ recipients }) => recipients.readBy.length > 0),
  sql: () => `
spanning as materialized (
  select n, topic_id, int8range(lag(id, 1, previous_id) over (partition by topic_id order by id) + 1, id + 1) as span
  from placed),
reader as (
  select spanning.topic_id, spanning.span, reader.user_id
  from spanning join unnest($reader_messages::bigint[], $readers::bigint[]) as reader(n, user_id)
    on reader.n = spanning.n),
read as (${markReadSql({ readers: 'reader' })})`,
  values({ inserts }) {
    const readers = inserts.flatMap(({ recipients }, index) =>
      recipients.readBy.map((userId) => ({ n: index + 1, userId })),
    )
    return { reader_messages: readers.map(({ n }) => n), readers: readers.map(({ userId }) => userId) }
  },
}
