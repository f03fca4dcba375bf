import { type CapabilitySamples, FUTURE, OWN_WORDS } from '../../../testing/capability-samples.ts'
import { someId } from '../../../testing/look-up.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    readonly reminder_id: number
  }
}

const DELIVERY_TIME = { scheduled_delivery_timestamp: FUTURE }

export const samples: CapabilitySamples = {
  async makeOwn(user, { message_id }) {
    const { reminder_id } = await user.call('POST', '/reminders', { message_id, ...DELIVERY_TIME })
    return { reminder_id: reminder_id }
  },
  inputs: { createReminder: () => DELIVERY_TIME },
  names: { reminder_id: 'reminder' },
  namesNothing: { note: OWN_WORDS },
  hidden: { reminder: { sample: 'reminder_id', of: 'the owner' } },
}

export const steps: CapabilitySteps = {
  steps: {
    remind: async ({ actor, what, more }) => {
      const { body } = await actor.try('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
      const [message] = body['messages'] ?? []
      return actor.try('POST', '/reminders', {
        message_id: message?.id ?? 1,
        scheduled_delivery_timestamp: 4_000_000_000 + (more % 5),
        note: `Note ${what}`,
      })
    },
    'delete reminder': async ({ actor, what }) =>
      actor.try('DELETE', `/reminders/${await someId(actor, 'reminders', what, 'scheduled_message_id')}`),
  },
}
