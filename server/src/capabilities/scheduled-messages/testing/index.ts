import { type CapabilitySamples, FUTURE, TIME } from '../../../testing/capability-samples.ts'
import { listIds, someId } from '../../../testing/look-up.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    readonly scheduled_message_id: number
  }
}

const DELIVERY_TIME = { scheduled_delivery_timestamp: FUTURE }

export const samples: CapabilitySamples = {
  async makeOwn(user) {
    const direct = { type: 'direct', to: [user.id], content: 'zanzibar' }
    const { scheduled_message_id } = await user.call('POST', '/scheduled_messages', { ...direct, ...DELIVERY_TIME })
    return { scheduled_message_id: scheduled_message_id }
  },
  inputs: {
    createScheduledMessage: ({ stream_id }) => ({ type: 'channel', to: stream_id, topic: 'hello', ...DELIVERY_TIME }),
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

export const steps: CapabilitySteps = {
  steps: {
    'schedule to channel': async ({ actor, what, more }) => {
      const [channelId] = await listIds(actor, 'streams', 'stream_id', 'stream')
      const at = { topic: `Topic ${what % 3}`, scheduled_delivery_timestamp: 4_000_000_000 + (more % 5) }
      return actor.try('POST', '/scheduled_messages', {
        type: 'channel',
        to: channelId ?? 1,
        content: `_${more}_`,
        ...at,
      })
    },
    'schedule directly': async ({ actor, other, what, more }) =>
      actor.try('POST', '/scheduled_messages', {
        type: 'direct',
        to: [other.id],
        content: `Later ${what}`,
        scheduled_delivery_timestamp: 4_000_000_000 + (more % 5),
      }),
    'change scheduled': async ({ actor, what, more }) =>
      actor.try(
        'PATCH',
        `/scheduled_messages/${await someId(actor, 'scheduled_messages', what, 'scheduled_message_id')}`,
        more % 2 === 0
          ? { content: `Changed ${more}`, topic: more % 4 === 0 ? '' : `Topic ${more % 3}` }
          : { scheduled_delivery_timestamp: 4_000_000_000 + (more % 5) },
      ),
    'delete scheduled': async ({ actor, what }) =>
      actor.try(
        'DELETE',
        `/scheduled_messages/${await someId(actor, 'scheduled_messages', what, 'scheduled_message_id')}`,
      ),
  },
}
