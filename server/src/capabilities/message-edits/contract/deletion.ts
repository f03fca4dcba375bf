import * as z from 'zod/mini'
import { endpoint } from '../../../kernel/endpoint.ts'
import { boolean, id, nothing } from '../../../kernel/schemas.ts'
import { topicName } from '../../channels/contract/records.ts'

/** Messages per transaction; each takes a log position. */
export const DELETED_TOGETHER = 100
/** Maximum per request. `complete` reports whether all are deleted. */
export const MAX_DELETED_PER_REQUEST = 5_000

export const deleteMessage = endpoint({
  id: 'deleteMessage',
  method: 'DELETE',
  path: '/messages/:message_id',
  summary: 'Permanently delete a message.',
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
  summary: 'Delete all messages in a topic, newest first. Repeat until `complete`.',
  since: 0,
  input: z.object({ stream_id: id, topic_name: topicName }),
  output: z.object({ complete: boolean }),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
})
