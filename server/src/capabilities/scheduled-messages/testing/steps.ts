import { listed, some } from '../../../testing/look-up.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'

export const steps: CapabilitySteps = {
  steps: {
    'schedule to channel': async ({ actor, what, more }) => {
      const [channelId] = await listed(actor, 'streams', 'stream_id', 'stream')
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
        `/scheduled_messages/${await some(actor, 'scheduled_messages', what, 'scheduled_message_id')}`,
        more % 2 === 0
          ? { content: `Changed ${more}`, topic: more % 4 === 0 ? '' : `Topic ${more % 3}` }
          : { scheduled_delivery_timestamp: 4_000_000_000 + (more % 5) },
      ),
    'delete scheduled': async ({ actor, what }) =>
      actor.try(
        'DELETE',
        `/scheduled_messages/${await some(actor, 'scheduled_messages', what, 'scheduled_message_id')}`,
      ),
  },
}
