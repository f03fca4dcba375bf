import { CHANNELS, TOPICS, at, namedChannel } from '../../../testing/look-up.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'

export const steps: CapabilitySteps = {
  messageSteps: {
    'choose for topic': async ({ actor, what, more, rest }) =>
      actor.try('POST', '/user_topics', {
        stream_id: await namedChannel(actor, what),
        topic: at(TOPICS, more),
        visibility_policy: rest % 4,
      }),
    'mute topic': async ({ actor, what, more, rest }) =>
      actor.try('PATCH', '/users/me/subscriptions/muted_topics', {
        stream: at(CHANNELS, what),
        topic: at(TOPICS, more).toUpperCase(),
        op: rest % 2 === 0 ? 'add' : 'remove',
      }),
  },
}
