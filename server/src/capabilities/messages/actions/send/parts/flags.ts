import type { Recipients } from '../../../rules/recipients.ts'
import type { StatementPart } from '../part.ts'

export const flags: StatementPart = {
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
      flagsIn(recipients).map((flag) => ({ n: index + 1, ...flag })),
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

interface Flags {
  readonly userId: number
  readonly mentioned: boolean
  readonly topicMentioned: boolean
  readonly alerted: boolean
}

const NO_FLAGS: Flags[] = []

function flagsIn({ mentioned, topicMentioned, alerted }: Recipients): Flags[] {
  if (mentioned.length === 0 && topicMentioned.length === 0 && alerted.length === 0) return NO_FLAGS
  const [named, took, watching] = [new Set(mentioned), new Set(topicMentioned), new Set(alerted)]
  return Array.from(new Set([...mentioned, ...topicMentioned, ...alerted]), (userId) => ({
    userId,
    mentioned: named.has(userId),
    topicMentioned: took.has(userId),
    alerted: watching.has(userId),
  }))
}
