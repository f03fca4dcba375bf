import { CHANNELS, TOPICS, itemAt, listedChannelId } from '../../../testing/look-up.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'

export const steps: CapabilitySteps = {
  messageSteps: {
    'choose for topic': async ({ actor, what, more, rest }) =>
      actor.try('POST', '/user_topics', {
        stream_id: await listedChannelId(actor, what),
        topic: itemAt(TOPICS, more),
        visibility_policy: rest % 4,
      }),
    'mute topic': async ({ actor, what, more, rest }) =>
      actor.try('PATCH', '/users/me/subscriptions/muted_topics', {
        stream: itemAt(CHANNELS, what),
        topic: itemAt(TOPICS, more).toUpperCase(),
        op: rest % 2 === 0 ? 'add' : 'remove',
      }),
  },
}
