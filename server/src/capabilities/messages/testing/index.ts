import { type CapabilitySamples, OWN_WORDS } from '../../../testing/capability-samples.ts'
import { CHANNELS, CONTENTS, TOPICS, itemAt, someSentMessage } from '../../../testing/look-up.ts'
import type { CapabilitySteps, Scene } from '../../../testing/steps.ts'
import type { TestUser } from '../../../testing/user.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    readonly message_id: number
  }
}

export const samples: CapabilitySamples = {
  async makeOwn(user) {
    return { message_id: await user.send('general', 'hello', 'My own') }
  },
  values: ({ message_id }) => ({
    to: 'general',
    topic: 'hello',
    content: 'Hello',
    messages: [message_id],
    message_ids: [message_id],
    msg_ids: [message_id],
  }),
  inputs: {
    sendMessage: () => ({ type: 'stream', topic: 'hello' }),
    sendSubmessage: () => ({ msg_type: 'widget', content: '{}' }),
  },
  names: {
    topic: 'topic',
    topic_name: 'topic',
    message_id: 'message',
    message_ids: 'message',
    msg_ids: 'message',
    messages: 'message',
    content: 'text',
    'sendMessage.to': ['channel', 'user'],
  },
  namesNothing: {
    local_id: "the client's own ID of a message",
    idempotency_key: "the client's own ID of a send",
    msg_type: OWN_WORDS,
    widget_content: OWN_WORDS,
  },
}

export const steps: CapabilitySteps = {
  messageSteps: {
    send: async ({ scene, actor, what, more, rest }) => {
      const content = itemAt(CONTENTS, rest)
      await send(scene, actor, { type: 'stream', to: itemAt(CHANNELS, what), topic: itemAt(TOPICS, more), content })
    },
    'send direct': async ({ scene, actor, other, what, more }) => {
      const to = [...new Set([other.id, itemAt(scene.people, what).id])]
      const content = itemAt(CONTENTS, what)
      await send(scene, actor, { type: 'direct', to, content, read_by_sender: more % 2 === 0 })
    },
    'send poll': async ({ scene, actor, what, more }) => {
      const widget_content = JSON.stringify({ widget_type: 'poll', extra_data: { question: 'Lunch?' } })
      const topic = itemAt(TOPICS, more)
      await send(scene, actor, { type: 'stream', to: itemAt(CHANNELS, what), topic, content: 'Lunch?', widget_content })
    },
    vote: async ({ scene, actor, what, more }) =>
      actor.try('POST', '/submessage', {
        message_id: someSentMessage(scene, what),
        msg_type: 'widget',
        content: JSON.stringify({ type: 'vote', key: more % 3, vote: 1 }),
      }),
  },
}

async function send(scene: Scene, actor: TestUser, parameters: Readonly<Record<string, unknown>>): Promise<void> {
  const { body } = await actor.try('POST', '/messages', parameters)
  if (typeof body['id'] === 'number') scene.sent.push(body['id'])
}
