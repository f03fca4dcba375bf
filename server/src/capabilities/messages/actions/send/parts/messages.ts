import type { LogRow } from '../../../../../platform/log/row.ts'
import { linksInTopics } from '../../../../linkifiers/queries.ts'
import { sentMessage, STORED_FIELDS } from '../../../queries/stored.ts'
import type { StatementPart, ResultRow } from '../part.ts'
import { spellings } from './topics.ts'

const FIELDS = Object.values(STORED_FIELDS)
const COLUMNS = FIELDS.map(({ column }) => column).join(', ')

interface SentRow extends ResultRow {
  readonly id: number
  readonly topicId: number
  readonly topic: string
  readonly startsTopic: boolean
}

export const messages: StatementPart = {
  name: 'messages',
  given: FIELDS.map(({ column, type, valueOf }) => ({
    name: column,
    type,
    valueOf: ({ message }) => valueOf(message),
  })),
  sql(needed) {
    const spelling = needed.has(spellings) ? ', topic_spelling' : ''
    return `
message as (
  insert into messages
    (organization_id, id, channel_id, topic_id, date_sent, search, ${COLUMNS}${spelling})
  select $organization, id, channel_id, topic_id, $now, search, ${COLUMNS}${spelling}
  from placed)`
  },
  answers: [
    {
      what: 'sent',
      columns: {
        n: 'n',
        base: 'base',
        id: 'id',
        topicId: 'topic_id',
        topic: 'topic_name',
        startsTopic: 'first_id = id',
        channelId: 'channel_id',
        words: 'case when has_new_words then search::text end',
      },
      from: 'placed',
    },
  ],
  async results(rows, { organization, inserts, now }, { outcomes, events }) {
    const sent = rows.filter((row): row is SentRow => row.what === 'sent')
    const links = await linksInTopics(
      organization,
      sent.map((row) => row.topic),
    )
    for (const row of sent) {
      const insert = inserts[row.n - 1]
      if (insert === undefined) throw new Error(`the batch has no message ${row.n}`)
      outcomes.set(row.n, { id: row.id, fresh: true })
      const event: LogRow = {
        position: row.id,
        type: 'message',
        refId: row.id,
        audience: insert.message.audience,
        payload: row.startsTopic && insert.startCounts ? { ...insert.payload, starts_topic: true } : insert.payload,
        changes: null,
        attached: sentMessage(insert.message, row, now, links.get(row.topic) ?? []),
      }
      events.push(event)
    }
  },
}
