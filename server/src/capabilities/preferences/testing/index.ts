import { type CapabilitySamples, OWN_WORDS } from '../../../testing/capability-samples.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'

export const samples: CapabilitySamples = {
  namesNothing: { preferences: OWN_WORDS },
}

export const steps: CapabilitySteps = {
  steps: {
    'change preferences': async ({ actor, what, more }) =>
      actor.try('PATCH', '/preferences', {
        preferences: {
          [`name ${what % 5}`]: more % 3 === 0 ? null : `value ${more}`,
          [`name ${more % 5}`]: 'the same',
        },
      }),
  },
}
