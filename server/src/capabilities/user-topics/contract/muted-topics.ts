import * as z from 'zod/mini'
import { event } from '../../../kernel/event.ts'
import { integer, string } from '../../../kernel/schemas.ts'

/** Channel name, topic, and UNIX seconds of muting. */
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
