import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import type { Limit } from '../../kernel/limits.ts'
import { id, integer, string } from '../../kernel/schemas.ts'

export const STATISTICS_LIMIT: Limit = {
  most: 400,
  per: 'organization',
  what: 'days of message counts; older ones are removed',
}

export const MAX_LISTED_CHANNELS = 200

export const getStatistics = endpoint({
  id: 'getStatistics',
  method: 'GET',
  path: '/statistics',
  summary: 'Get daily counts of messages and senders, and the most active channels. Administrators only.',
  description:
    'Messages are counted a few minutes after they are sent, in their channel at that time; deleted messages stay ' +
    `counted. For direct messages, only the number is counted. Lists the ${MAX_LISTED_CHANNELS} most active channels ` +
    'that you can see.',
  since: 420,
  input: z.object({ days: z._default(z.int().check(z.minimum(1), z.maximum(STATISTICS_LIMIT.most)), 30) }),
  output: z.object({
    time_zone: z.literal('UTC'),
    days: z.array(
      z.strictObject({
        date: string,
        channel_messages: integer,
        direct_messages: integer,
        people: integer,
      }),
    ),
    channels: z.array(z.strictObject({ stream_id: id, messages: integer })),
    people: integer,
  }),
  errors: ['BAD_REQUEST'],
})
