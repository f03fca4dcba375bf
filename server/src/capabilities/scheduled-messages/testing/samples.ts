import { FUTURE, TIME, type CapabilitySamples } from '../../../testing/capability-samples.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    readonly scheduled_message_id: number
  }
}

const LATER = { scheduled_delivery_timestamp: FUTURE }

export const samples: CapabilitySamples = {
  async makeOwn(user) {
    const direct = { type: 'direct', to: [user.id], content: 'zanzibar' }
    const { scheduled_message_id } = await user.call('POST', '/scheduled_messages', { ...direct, ...LATER })
    return { scheduled_message_id: Number(scheduled_message_id) }
  },
  inputs: {
    createScheduledMessage: ({ stream_id }) => ({ type: 'channel', to: stream_id, topic: 'hello', ...LATER }),
    updateScheduledMessage: () => ({ content: 'Later' }),
  },
  names: {
    scheduled_message_id: 'scheduled',
    'createScheduledMessage.to': ['channel', 'user'],
    'updateScheduledMessage.to': ['channel', 'user'],
  },
  namesNothing: { scheduled_delivery_timestamp: TIME },
  hidden: { scheduled: { sample: 'scheduled_message_id', of: 'the owner' } },
}
