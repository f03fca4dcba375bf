import * as z from 'zod/mini'
import type { Limit } from '../../kernel/limits.ts'
import { endpoint } from '../../kernel/endpoint.ts'
import { event } from '../../kernel/event.ts'
import { id, integer, nothing, string } from '../../kernel/schemas.ts'

/** Policies that a user can have for a topic. With `none`, the channel's settings apply. */
export const VISIBILITY = { none: 0, muted: 1, unmuted: 2, followed: 3 } as const

export const USER_TOPIC_LIMIT: Limit = { most: 20_000, per: 'user', what: 'muted, unmuted, and followed topics' }

const visibilityPolicy = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)])
export type VisibilityPolicy = z.output<typeof visibilityPolicy>

export const updateUserTopic = endpoint({
  id: 'updateUserTopic',
  method: 'POST',
  path: '/user_topics',
  summary: "Set a topic's visibility: muted, unmuted, followed, or default. The topic may have no messages.",
  since: 170,
  forTokens: 'writing',
  input: z.object({ stream_id: id, topic: string, visibility_policy: visibilityPolicy }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const muteTopic = endpoint({
  id: 'muteTopic',
  method: 'PATCH',
  path: '/users/me/subscriptions/muted_topics',
  summary: 'Mute or unmute a topic. Legacy; see `POST /user_topics`.',
  since: 0,
  input: z.object({
    stream_id: z.optional(id),
    stream: z.optional(string),
    topic: string,
    op: z.enum(['add', 'remove']),
  }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

const userTopic = z.strictObject({
  stream_id: id,
  topic_name: string,
  /** UNIX seconds. */
  last_updated: integer,
  visibility_policy: visibilityPolicy,
})
export type UserTopic = z.output<typeof userTopic>

declare module '../../kernel/event.ts' {
  interface StateFields {
    user_topics: UserTopic[]
  }
}

export const userTopicChanged = event({
  type: 'user_topic',
  summary: "The user changed a topic's visibility.",
  payload: userTopic,
  touches: ['user_topics'],
  apply(state, changed) {
    const known = state['user_topics']
    if (known === undefined) return
    const others = known.filter(
      ({ stream_id, topic_name }) => stream_id !== changed.stream_id || topic_name !== changed.topic_name,
    )
    state['user_topics'] = changed.visibility_policy === VISIBILITY.none ? others : [...others, changed]
  },
})

/** Channel name, topic, and the UNIX seconds when it was muted. */
const mutedTopic = z.tuple([string, string, integer])
export type MutedTopic = z.output<typeof mutedTopic>

export const mutedTopicsChanged = event({
  type: 'muted_topics',
  summary:
    'The topics that the user has muted, or the names of their channels, changed: for clients that do not ask for ' +
    '`user_topic`.',
  payload: z.strictObject({ muted_topics: z.array(mutedTopic) }),
  touches: ['muted_topics'],
  apply(state, { muted_topics }) {
    if (state['muted_topics'] !== undefined) state['muted_topics'] = muted_topics
  },
})
