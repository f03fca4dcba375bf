import { someSentMessage } from '../../../testing/look-up.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'

export const steps: CapabilitySteps = {
  messageSteps: {
    react: async ({ scene, actor, what, more }) => {
      const path = `/messages/${someSentMessage(scene, what)}/reactions`
      const reaction = { emoji_name: 'tada' }
      // Adds a reaction first: otherwise, a removal would rarely find a reaction of the actor.
      const answer = await actor.try('POST', path, reaction)
      return more % 2 === 0 ? answer : actor.try('DELETE', path, reaction)
    },
  },
}
