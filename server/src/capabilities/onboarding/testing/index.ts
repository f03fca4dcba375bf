import { API_WORD, type CapabilitySamples } from '../../../testing/capability-samples.ts'
import { itemAt } from '../../../testing/look-up.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'
import { ONBOARDING_STEPS } from '../contract.ts'

export const samples: CapabilitySamples = {
  values: () => ({ onboarding_step: ONBOARDING_STEPS[0].name }),
  namesNothing: { onboarding_step: API_WORD },
}

export const steps: CapabilitySteps = {
  steps: {
    'was explained to': async ({ actor, what }) =>
      actor.try('POST', '/users/me/onboarding_steps', { onboarding_step: itemAt(ONBOARDING_STEPS, what).name }),
  },
}
