import * as z from 'zod/mini'
import { endpoint } from '../../../kernel/endpoint.ts'
import { boolean, id, nothing } from '../../../kernel/schemas.ts'
import { topicName } from '../../channels/contract/records.ts'

/** Messages that go in one transaction: each takes a position of the log. */
export const DELETED_TOGETHER = 100
/** Messages that one request deletes; `complete` tells whether that were all. */
export const MAX_DELETED_PER_REQUEST = 5_000

export const deleteMessage = endpoint({
  id: 'deleteMessage',
  method: 'DELETE',
  path: '/messages/:message_id',
  summary: 'Delete a message for good.',
  since: 0,
  forTokens: 'writing',
  input: z.object({ message_id: id }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const deleteTopic = endpoint({
  id: 'deleteTopic',
  method: 'POST',
  path: '/streams/:stream_id/delete_topic',
  summary: 'Delete every message of a topic, the newest first. To be repeated until it is `complete`.',
  since: 0,
  input: z.object({ stream_id: id, topic_name: topicName }),
  output: z.object({ complete: boolean }),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
})
