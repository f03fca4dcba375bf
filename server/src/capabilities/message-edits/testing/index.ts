import type { CapabilitySamples } from '../../../testing/capability-samples.ts'
import { CONTENTS, TOPICS, itemAt, listedChannelId, someSentMessage } from '../../../testing/look-up.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'

export const samples: CapabilitySamples = {
  inputs: { updateMessage: () => ({ content: 'Changed' }) },
  namesNothing: { prev_content_sha256: 'a digest of text that the caller has read' },
}

const PROPAGATE_MODES = ['change_one', 'change_later', 'change_all']

export const steps: CapabilitySteps = {
  messageSteps: {
    rewrite: async ({ scene, actor, what, more }) =>
      actor.try('PATCH', `/messages/${someSentMessage(scene, what)}`, { content: `${itemAt(CONTENTS, more)} ${more}` }),
  },
  replacingSteps: {
    move: async ({ scene, actor, what, more, rest }) =>
      actor.try('PATCH', `/messages/${someSentMessage(scene, more)}`, {
        propagate_mode: itemAt(PROPAGATE_MODES, rest),
        ...(what % 2 === 0 ? { topic: itemAt(TOPICS, more) } : {}),
        // Moves mostly to the two initial channels, where messages can be unread.
        ...(what % 3 > 0 ? { stream_id: await listedChannelId(actor, rest % 4 > 0 ? what % 2 : what) } : {}),
        send_notification_to_old_thread: more % 2 === 0,
        send_notification_to_new_thread: rest % 2 === 0,
        withdraw_notices: rest % 3 === 0,
      }),
    resolve: async ({ scene, actor, what, more }) => {
      const id = someSentMessage(scene, what)
      const { body } = await actor.try('GET', `/messages/${id}`, { allow_empty_topic_name: true })
      const { subject: topic = '' } = body['message'] ?? {}
      return actor.try('PATCH', `/messages/${id}`, {
        propagate_mode: 'change_all',
        topic: topic.startsWith('✔ ') ? topic.slice(2) : `✔ ${topic}`,
        withdraw_notices: more % 2 === 0,
      })
    },
    delete: async ({ scene, actor, what }) => actor.try('DELETE', `/messages/${someSentMessage(scene, what)}`),
    'delete topic': async ({ actor, what, more }) =>
      actor.try('POST', `/streams/${await listedChannelId(actor, what)}/delete_topic`, {
        topic_name: itemAt(TOPICS, more),
      }),
  },
  times: { move: 6 },
}
