import type { LogRow } from '../../../../../platform/log/row.ts'
import { linksInTopics } from '../../../../linkifiers/queries.ts'
import { claimUploadsSql } from '../../../../uploads/queries.ts'
import { WIDGET_MESSAGE_TYPE } from '../../../contract/index.ts'
import { toStoredMessage, STORED_FIELDS } from '../../../queries/stored.ts'
import type { MessageInsert } from '../outgoing.ts'
import type { StatementPart, ResultRow } from '../part.ts'
import { spellingsPart } from './topics.ts'

const STORED_FIELD_LIST = Object.values(STORED_FIELDS)
const STORED_COLUMNS = STORED_FIELD_LIST.map(({ column }) => column).join(', ')

interface SentRow extends ResultRow {
  readonly id: number
  readonly topicId: number
  readonly topic: string
  readonly startsTopic: boolean
}

export const messagesPart: StatementPart = {
  name: 'messages',
  given: [
    { name: 'terms', type: 'tsvector', valueOf: ({ indexed }) => indexed.vector },
    ...STORED_FIELD_LIST.map(({ column, type, valueOf }) => ({
      name: column,
      type,
      valueOf: ({ message }: MessageInsert) => valueOf(message),
    })),
  ],
  sql(needed) {
    const spelling = needed.has(spellingsPart) ? ', topic_spelling' : ''
    return `
message as (
  insert into messages
    (organization_id, id, channel_id, topic_id, date_sent, terms, ${STORED_COLUMNS}${spelling})
  select $organization, id, channel_id, topic_id, $now, terms, ${STORED_COLUMNS}${spelling}
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
        attached: toStoredMessage(insert.message, row, now, links.get(row.topic) ?? []),
      }
      events.push(event)
    }
  },
}

export const uploadsPart: StatementPart = {
  name: 'uploads',
  isNeeded: ({ inserts }) => inserts.some(({ message }) => message.uploadIds.length > 0),
  sql: () => `
link as (
  select placed.id as message_id, link.attachment_id
  from placed join unnest($upload_messages::bigint[], $uploads::bigint[]) as link(n, attachment_id)
    on link.n = placed.n),
${claimUploadsSql({ links: 'link' }).trim()}`,
  values({ inserts }) {
    const links = inserts.flatMap(({ message }, index) => message.uploadIds.map((id) => ({ n: index + 1, id })))
    return { upload_messages: links.map(({ n }) => n), uploads: links.map(({ id }) => id) }
  },
}

/** The submessage ID equals the message ID. */
export const widgetsPart: StatementPart = {
  name: 'widgets',
  isNeeded: ({ inserts }) => inserts.some(({ message }) => message.widget !== null),
  sql: () => `
widget as (
  insert into submessages (organization_id, id, message_id, sender_id, msg_type, content)
  select $organization, placed.id, placed.id, placed.sender_id, '${WIDGET_MESSAGE_TYPE}', widget.content
  from placed join unnest($widget_messages::bigint[], $widgets::text[]) as widget(n, content)
    on widget.n = placed.n)`,
  values({ inserts }) {
    const found = inserts.flatMap(({ message: { widget } }, index) =>
      widget === null ? [] : [{ n: index + 1, widget }],
    )
    return { widget_messages: found.map(({ n }) => n), widgets: found.map(({ widget }) => widget) }
  },
}
