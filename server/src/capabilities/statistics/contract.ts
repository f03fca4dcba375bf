import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import type { Limit } from '../../kernel/limits.ts'
import { id, integer, string } from '../../kernel/schemas.ts'

/** Days counted, and maximum days per request. */
export const STATISTICS_LIMIT: Limit = {
  most: 400,
  per: 'organization',
  what: 'days of which messages are counted; older ones are counted no longer',
}

export const MAX_CHANNELS = 200

export const getStatistics = endpoint({
  id: 'getStatistics',
  method: 'GET',
  path: '/statistics',
  summary:
    'Read how many messages were sent on each day, by how many people and in which channels. Only administrators may.',
  description:
    'Messages are counted some minutes after they were sent, in the channel that they were in then; those that are deleted later stay counted. ' +
    `Of direct messages only their number is told. Of the channels that one may know of, the ${MAX_CHANNELS} with most messages are listed.`,
  since: 420,
  input: z.object({ days: z._default(z.int().check(z.minimum(1), z.maximum(STATISTICS_LIMIT.most)), 30) }),
  output: z.object({
    /** The time zone of the days. */
    time_zone: z.literal('UTC'),
    days: z.array(
      z.strictObject({
        /** For example `2026-11-25`. */
        date: string,
        channel_messages: integer,
        direct_messages: integer,
        /** Senders, without bots. */
        people: integer,
      }),
    ),
    channels: z.array(z.strictObject({ stream_id: id, messages: integer })),
    /** Senders on any of these days. */
    people: integer,
  }),
  errors: ['BAD_REQUEST'],
})
