import { FUTURE, OWN_WORDS, type CapabilitySamples } from '../../../testing/capability-samples.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    readonly reminder_id: number
  }
}

const LATER = { scheduled_delivery_timestamp: FUTURE }

export const samples: CapabilitySamples = {
  async makeOwn(user, { message_id }) {
    const { reminder_id } = await user.call('POST', '/reminders', { message_id, ...LATER })
    return { reminder_id: Number(reminder_id) }
  },
  inputs: { createReminder: () => LATER },
  names: { reminder_id: 'reminder' },
  namesNothing: { note: OWN_WORDS },
  hidden: { reminder: { sample: 'reminder_id', of: 'the owner' } },
}
