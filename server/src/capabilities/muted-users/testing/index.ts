import type { CapabilitySamples } from '../../../testing/capability-samples.ts'
import { someId } from '../../../testing/look-up.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'

export const samples: CapabilitySamples = {
  values: ({ user_id }) => ({ muted_user_id: user_id }),
  names: { muted_user_id: 'user' },
}

export const steps: CapabilitySteps = {
  steps: {
    'mute user': async ({ actor, other }) => actor.try('POST', `/users/me/muted_users/${other.id}`),
    'unmute user': async ({ actor, what }) =>
      actor.try('DELETE', `/users/me/muted_users/${await someId(actor, 'muted_users', what)}`),
  },
}
