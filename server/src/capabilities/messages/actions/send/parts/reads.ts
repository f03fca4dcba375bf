import { markReadSql } from '../../../../flags/queries/unread.ts'
import type { StatementPart } from '../part.ts'

/**
 * Marks messages as read. In its topic, a message covers the span since the previous message, which can belong to the
 * same batch.
 */
export const reads: StatementPart = {
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
