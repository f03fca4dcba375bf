import { some } from '../../../testing/look-up.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'

export const steps: CapabilitySteps = {
  steps: {
    remind: async ({ actor, what, more }) => {
      const { body } = await actor.try('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
      // The answer was checked against its declaration.
      const [message] = (body['messages'] ?? []) as { id: number }[]
      return actor.try('POST', '/reminders', {
        message_id: message?.id ?? 1,
        scheduled_delivery_timestamp: 4_000_000_000 + (more % 5),
        note: `Note ${what}`,
      })
    },
    'delete reminder': async ({ actor, what }) =>
      actor.try('DELETE', `/reminders/${await some(actor, 'reminders', what, 'scheduled_message_id')}`),
  },
}
