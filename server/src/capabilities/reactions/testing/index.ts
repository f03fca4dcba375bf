import { sentIn } from '../../../testing/look-up.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'

export const steps: CapabilitySteps = {
  messageSteps: {
    react: async ({ scene, actor, what, more }) =>
      actor.try(more % 3 === 0 ? 'DELETE' : 'POST', `/messages/${sentIn(scene, what)}/reactions`, {
        emoji_name: 'tada',
      }),
  },
}
