import { some } from '../../../testing/look-up.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'

export const steps: CapabilitySteps = {
  steps: {
    'mute user': async ({ actor, other }) => actor.try('POST', `/users/me/muted_users/${other.id}`),
    'unmute user': async ({ actor, what }) =>
      actor.try('DELETE', `/users/me/muted_users/${await some(actor, 'muted_users', what)}`),
  },
}
