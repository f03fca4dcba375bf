import { someSentMessage } from '../../../testing/look-up.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'

export const steps: CapabilitySteps = {
  messageSteps: {
    react: async ({ scene, actor, what, more }) => {
      const path = `/messages/${someSentMessage(scene, what)}/reactions`
      const reaction = { emoji_name: 'tada' }
      // Usually adds a reaction first: otherwise, a removal would rarely find a reaction of the actor.
      if (more % 3 !== 0 || more % 2 === 0) {
        const answer = await actor.try('POST', path, reaction)
        if (more % 3 !== 0) return answer
      }
      return actor.try('DELETE', path, reaction)
    },
  },
}
