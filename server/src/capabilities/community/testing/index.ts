import type { CapabilitySamples } from '../../../testing/capability-samples.ts'
import { itemAt, listedChannelId, TOPICS } from '../../../testing/look-up.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'

export const samples: CapabilitySamples = {}

export const steps: CapabilitySteps = {
  messageSteps: {
    'set slow mode': async ({ actor, what, more, rest }) =>
      actor.try('PATCH', `/streams/${await listedChannelId(actor, what)}/slow_mode`, {
        seconds: more % 3 === 0 ? 0 : more % 21_600,
        ...(rest % 2 === 0 ? {} : { topic: itemAt(TOPICS, rest) }),
      }),
  },
}
