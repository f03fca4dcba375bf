import { OWN_WORDS, type CapabilitySamples } from '../../../testing/capability-samples.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    /** Of a message of the user in the topic `hello` of the channel `general`. */
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
  namesNothing: { local_id: 'the own name for a message', msg_type: OWN_WORDS, widget_content: OWN_WORDS },
}
