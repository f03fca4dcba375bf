import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import type { Limit } from '../../kernel/limits.ts'
import { id, integer, string } from '../../kernel/schemas.ts'

/** Days that are counted, and that one can ask for. */
export const STATISTICS_LIMIT: Limit = {
  most: 400,
  per: 'organization',
  what: 'days of which messages are counted; older ones are counted no longer',
}

/** Channels of one answer, those with most messages. */
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
    /** In which days begin and end. */
    time_zone: z.literal('UTC'),
    /** Every one of the days, the oldest first; today is the last. */
    days: z.array(
      z.strictObject({
        /** Such as `2026-11-25`. */
        date: string,
        channel_messages: integer,
        direct_messages: integer,
        /** People who sent a message; bots are not counted. */
        people: integer,
      }),
    ),
    /** Those in which messages were sent on these days, the one with most first. */
    channels: z.array(z.strictObject({ stream_id: id, messages: integer })),
    /** People who sent a message on any of these days. */
    people: integer,
  }),
  errors: ['BAD_REQUEST'],
})
