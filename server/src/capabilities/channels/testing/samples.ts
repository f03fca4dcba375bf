import { NEW_NAME, SETTING, type CapabilitySamples } from '../../../testing/capability-samples.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    /** Of the channel `general`, to which the owner and the other user are subscribed. */
    readonly stream_id: number
  }
}

export const samples: CapabilitySamples = {
  async make({ owner }, { user_id }) {
    await owner.subscribe(['general'], { principals: [owner.id, user_id] })
    const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'general' })
    return { stream_id: Number(stream_id) }
  },
  values: ({ user_id }) => ({ principals: [user_id], subscribers: [user_id] }),
  inputs: {
    subscribe: () => ({ subscriptions: [{ name: 'general', description: 'Everything' }] }),
    updateSubscriptions: () => ({
      add: [{ name: 'general', color: '#c2c2c2', description: 'Everything' }],
      delete: [],
    }),
    unsubscribe: () => ({ subscriptions: ['general'] }),
  },
  names: {
    stream_id: 'channel',
    stream: 'channel',
    subscriptions: 'channel',
    principals: 'user',
    subscribers: 'user',
    'updateSubscriptions.delete': 'channel',
    'updateSubscriptions.name': 'new channel',
    'subscribe.name': 'new channel',
    'createChannel.name': 'new channel',
  },
  namesNothing: { color: SETTING, message_retention_days: SETTING, new_name: NEW_NAME },
}
