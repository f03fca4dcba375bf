import * as z from 'zod/mini'
import { endpoint } from '../../../kernel/endpoint.ts'
import { boolean, id, ids, string } from '../../../kernel/schemas.ts'
import { channel } from './records.ts'

export const getStreamId = endpoint({
  id: 'getStreamId',
  method: 'GET',
  path: '/get_stream_id',
  summary: "Get a channel's ID by name.",
  since: 0,
  forTokens: 'reading',
  input: z.object({ stream: string }),
  output: z.object({ stream_id: id }),
  errors: ['BAD_REQUEST'],
})

export const getStream = endpoint({
  id: 'getStream',
  method: 'GET',
  path: '/streams/:stream_id',
  summary: 'Get a channel.',
  since: 132,
  forTokens: 'reading',
  input: z.object({ stream_id: id }),
  output: z.object({ stream: channel }),
  errors: ['BAD_REQUEST'],
})

export const getSubscribers = endpoint({
  id: 'getSubscribers',
  method: 'GET',
  path: '/streams/:stream_id/members',
  summary: "List a channel's subscribers.",
  since: 0,
  forTokens: 'reading',
  input: z.object({ stream_id: id }),
  output: z.object({ subscribers: ids }),
  errors: ['BAD_REQUEST'],
})

export const getSubscriptionStatus = endpoint({
  id: 'getSubscriptionStatus',
  method: 'GET',
  path: '/users/:user_id/subscriptions/:stream_id',
  summary: 'Check whether a user is subscribed to a channel.',
  since: 12,
  forTokens: 'reading',
  input: z.object({ user_id: id, stream_id: id }),
  output: z.object({ is_subscribed: boolean }),
  errors: ['BAD_REQUEST'],
})

export const getUserChannels = endpoint({
  id: 'getUserChannels',
  method: 'GET',
  path: '/users/:user_id/channels',
  summary: 'List the channels that a user is subscribed to and that you can see.',
  since: 440,
  forTokens: 'reading',
  input: z.object({ user_id: id }),
  output: z.object({ subscribed_channel_ids: ids }),
  errors: ['BAD_REQUEST'],
})
