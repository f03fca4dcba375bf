import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import { event, type ClientState } from '../../kernel/event.ts'
import type { Limit } from '../../kernel/limits.ts'
import { id, idInRequest, integer, nothing, string } from '../../kernel/schemas.ts'

export const MAX_SLOW_MODE_SECONDS = 21_600
export const SLOW_TOPIC_LIMIT: Limit = { most: 100, per: 'channel', what: 'topics with their own slow mode' }

const slowModeSeconds = z.int().check(z.minimum(0), z.maximum(MAX_SLOW_MODE_SECONDS))

export const slowTopic = z.strictObject({ topic: string, seconds: integer })

const slowModeFields = {
  /** Seconds between messages of one person in the channel; 0 if slow mode is off. */
  seconds: integer,
  /** Topics with their own slow mode, which replaces the channel's, in order of their names. */
  topics: z.array(slowTopic),
}

const slowMode = z.strictObject(slowModeFields)
export type SlowMode = z.output<typeof slowMode>

export const getSlowMode = endpoint({
  id: 'getSlowMode',
  method: 'GET',
  path: '/streams/:stream_id/slow_mode',
  summary: "Get a channel's slow mode.",
  description:
    'In slow mode, a person has to wait between messages; the messages of their bots count too. Moderators and people ' +
    'who administer the channel need not wait. A message sent too early is refused with `SLOW_MODE`. Clients with the ' +
    'capability `community` get `slow_mode` events for changes.',
  since: 420,
  input: z.object({ stream_id: idInRequest }),
  output: z.object({
    ...slowModeFields,
    /** How long ago the person last sent a message that counts, for the channel (`topic` is null) and these topics. */
    turns: z.array(z.object({ topic: z.nullable(string), seconds_ago: integer })),
  }),
  errors: ['BAD_REQUEST'],
})

export const updateSlowMode = endpoint({
  id: 'updateSlowMode',
  method: 'PATCH',
  path: '/streams/:stream_id/slow_mode',
  summary: 'Set the slow mode of a channel or topic. Only for moderators and people who administer the channel.',
  since: 420,
  input: z.object({
    stream_id: idInRequest,
    /** Omit for the whole channel. */
    topic: z.optional(string),
    /** 0 turns slow mode off; a topic then has its channel's. */
    seconds: slowModeSeconds,
  }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

/* Events are sent only to clients with the capability `community`. */

declare module '../../kernel/event.ts' {
  interface StateFields {
    /** Slow modes by channel ID: clients add the response of `getSlowMode` for each channel that they show. */
    slow_modes: Record<string, SlowMode>
  }
}

export const slowModeUpdated = event({
  type: 'slow_mode',
  op: 'update',
  summary: 'The slow mode of a channel or topic changed.',
  payload: z.strictObject({
    stream_id: id,
    /** Null for the whole channel. */
    topic: z.nullable(string),
    seconds: integer,
  }),
  touches: ['slow_modes'],
  apply(state, { stream_id, topic, seconds }) {
    const known = slowModeIn(state, stream_id)
    if (known === undefined) return
    if (topic === null) known.seconds = seconds
    else known.topics = withSlowTopic(known.topics, topic, seconds)
  },
})

function slowModeIn(state: ClientState, streamId: number): SlowMode | undefined {
  return state['slow_modes']?.[streamId]
}

type SlowTopic = z.output<typeof slowTopic>

export function withSlowTopic(topics: readonly SlowTopic[], topic: string, seconds: number): SlowTopic[] {
  const others = topics.filter((one) => one.topic !== topic)
  return sortTopics(seconds === 0 ? others : [...others, { topic, seconds }])
}

/** By code units, so that the order is the same everywhere. */
export function sortTopics(topics: readonly SlowTopic[]): SlowTopic[] {
  return topics.toSorted((one, other) => (one.topic < other.topic ? -1 : 1))
}
