import { type CapabilitySamples, TIME } from '../../../testing/capability-samples.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'

export const samples: CapabilitySamples = {
  values: () => ({ status: 'active' }),
  namesNothing: {
    history_limit_days: TIME,
    last_update_id: 'a position in the updates',
    presence_history_limit_days: TIME,
  },
}

export const steps: CapabilitySteps = {
  steps: {
    // Reports once per user: later reports send no events, and older clients key presences by email, which can change.
    'be there': async ({ scene, actor, what }) => {
      if (scene.present.has(actor.id)) return
      const status = what % 2 === 0 ? 'active' : 'idle'
      const answer = await actor.try('POST', '/users/me/presence', { status })
      if (answer.status === 200) scene.present.add(actor.id)
    },
  },
}
