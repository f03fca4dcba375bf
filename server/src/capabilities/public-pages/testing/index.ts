import type { CapabilitySamples } from '../../../testing/capability-samples.ts'
import { someChannelId } from '../../../testing/look-up.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'

export const samples: CapabilitySamples = {}

export const steps: CapabilitySteps = {
  steps: {
    'hide from search engines': async ({ actor, what, more }) =>
      actor.try('PATCH', `/streams/${await someChannelId(actor, what)}/public_pages`, {
        hidden_from_search_engines: more % 2 === 0,
      }),
  },
}
