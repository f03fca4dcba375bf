import { COUNT, SETTING, type CapabilitySamples } from '../../../testing/capability-samples.ts'
import { itemAt, listedChannelId, TOPICS } from '../../../testing/look-up.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'

export const samples: CapabilitySamples = {
  namesNothing: { seconds: COUNT, newcomer_messages: SETTING, newcomer_days: SETTING },
}

export const steps: CapabilitySteps = {
  steps: {
    // Ends at once, so that other steps can send messages.
    'lock down': async ({ actor, more }) => {
      await actor.try('POST', '/lock_down', { seconds: 60 + more })
      return actor.try('DELETE', '/lock_down')
    },
  },
  messageSteps: {
    'set slow mode': async ({ actor, what, more, rest }) =>
      actor.try('PATCH', `/streams/${await listedChannelId(actor, what)}/slow_mode`, {
        seconds: more % 3 === 0 ? 0 : more % 21_600,
        ...(rest % 2 === 0 ? {} : { topic: itemAt(TOPICS, rest) }),
      }),
  },
}
