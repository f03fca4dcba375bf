import { API_WORD, type CapabilitySamples } from '../../../testing/capability-samples.ts'
import { someSentMessage, someChannelId } from '../../../testing/look-up.ts'
import type { CapabilitySteps, StepContext } from '../../../testing/steps.ts'
import type { Answer } from '../../../testing/user.ts'

export const samples: CapabilitySamples = {
  values: () => ({ flag: 'starred' }),
  inputs: {
    updateMessageFlagsForNarrow: () => ({ narrow: [{ operator: 'channel', operand: 'general', negated: false }] }),
    markTopicAsRead: () => ({ topic_name: 'hello' }),
  },
  namesNothing: { flag: API_WORD },
}

export const steps: CapabilitySteps = {
  steps: {
    'mark all read': async ({ actor }) => actor.try('POST', '/mark_all_as_read'),
    'mark channel read': async ({ actor, what }) =>
      actor.try('POST', '/mark_stream_as_read', { stream_id: await someChannelId(actor, what) }),
    'mark topic read': async ({ scene, actor, what }) => {
      const { body } = await actor.try('GET', `/messages/${someSentMessage(scene, what)}`, {
        allow_empty_topic_name: true,
      })
      const { stream_id, subject } = body['message'] ?? {}
      return actor.try('POST', '/mark_topic_as_read', { stream_id: stream_id ?? 999_999, topic_name: subject ?? '' })
    },
    'flag narrow': async ({ actor, what, more }) =>
      actor.try('POST', '/messages/flags/narrow', {
        anchor: ['oldest', 'newest', 'first_unread'][what % 3],
        num_before: more % 4,
        num_after: more % 3,
        narrow: more % 2 === 0 ? [] : [['is', 'dm']],
        op: what % 2 === 0 ? 'add' : 'remove',
        flag: more % 5 === 0 ? 'starred' : 'read',
      }),
  },
  messageSteps: {
    'mark read': async (doing) => flag(doing, 'add', 'read'),
    'mark unread': async (doing) => flag(doing, 'remove', 'read'),
    star: async (doing) => flag(doing, 'add', 'starred'),
    unstar: async (doing) => flag(doing, 'remove', 'starred'),
  },
}

async function flag({ scene, actor, what, more }: StepContext, op: string, name: string): Promise<Answer> {
  const messages = [someSentMessage(scene, what), someSentMessage(scene, more)]
  return actor.try('POST', '/messages/flags', { messages, op, flag: name })
}
