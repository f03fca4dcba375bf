import { OWN_WORDS, TIME, type CapabilitySamples } from '../../../testing/capability-samples.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'

export const samples: CapabilitySamples = {
  namesNothing: {
    before_user_id: 'a place in a list',
    duration_seconds: TIME,
    reason: OWN_WORDS,
    within_seconds: TIME,
  },
}

export const steps: CapabilitySteps = {
  steps: {
    ban: async ({ scene, actor, other, more }) => {
      const answer = await actor.try('POST', `/users/${other.id}/ban`, {
        reason: 'Spam',
        ...(more % 2 === 0 ? { duration_seconds: 86_400 } : {}),
      })
      if (answer.status === 200) scene.ended.add(other.id)
      return answer
    },
    'delete messages of banned': async ({ actor, other }) =>
      actor.try('POST', `/users/${other.id}/ban/delete_messages`, { within_seconds: 3_600 }),
    'lift ban': async ({ actor, other }) => {
      const answer = await actor.try('DELETE', `/users/${other.id}/ban`)
      if (answer.status === 200) await other.fetchApiKey()
      return answer
    },
  },
  times: { 'lift ban': 3 },
}
