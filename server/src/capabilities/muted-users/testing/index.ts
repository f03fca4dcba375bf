import type { CapabilitySamples } from '../../../testing/capability-samples.ts'
import { someId } from '../../../testing/look-up.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'

export const samples: CapabilitySamples = {
  values: ({ user_id }) => ({ muted_user_id: user_id, blocked_user_id: user_id }),
  names: { muted_user_id: 'user', blocked_user_id: 'user' },
}

export const steps: CapabilitySteps = {
  steps: {
    'mute user': async ({ actor, other }) => actor.try('POST', `/users/me/muted_users/${other.id}`),
    'block user': async ({ actor, other }) => actor.try('POST', `/users/me/blocked_users/${other.id}`),
    'unblock user': async ({ actor, what, more }) =>
      actor.try('DELETE', `/users/me/blocked_users/${await someId(actor, 'muted_users', what)}`, {
        keep_muted: more % 2 === 0,
      }),
    'unmute user': async ({ actor, what }) =>
      actor.try('DELETE', `/users/me/muted_users/${await someId(actor, 'muted_users', what)}`),
  },
}
