import * as z from 'zod/mini'
import { endpoint } from '../../../kernel/endpoint.ts'
import { boolean, givenId, id, string } from '../../../kernel/schemas.ts'

/** Maximum topics per response, newest first. */
export const MAX_TOPICS_LISTED = 50_000

export const getStreamTopics = endpoint({
  id: 'getStreamTopics',
  method: 'GET',
  path: '/users/me/:stream_id/topics',
  summary: "List a channel's topics, most recent first.",
  since: 0,
  forTokens: 'reading',
  forChannelTokens: true,
  input: z.object({ stream_id: givenId, allow_empty_topic_name: z._default(boolean, false) }),
  output: z.object({
    topics: z.array(
      z.strictObject({
        name: string,
        /** Newest message that the user can read. */
        max_id: id,
      }),
    ),
  }),
  errors: ['BAD_REQUEST'],
})
