import { API_WORD, type CapabilitySamples, TIME, anotherLike } from '../../../testing/capability-samples.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    readonly queue_id: string
  }
}

export const samples: CapabilitySamples = {
  async makeOwn(user) {
    const { queue_id } = await user.call('POST', '/register', { event_types: ['message'] })
    return { queue_id: queue_id }
  },
  inputs: {
    registerQueue: () => ({ narrow: [['channel', 'general']] }),
    getEvents: ({ queue_id }) => ({
      queue_id,
      last_event_id: -1,
      dont_block: true,
      narrow: [['channel', 'general']],
    }),
  },
  names: { queue_id: 'queue' },
  namesNothing: {
    event_types: API_WORD,
    fetch_event_types: API_WORD,
    last_event_id: "a position in the caller's queue",
    queue_lifespan_secs: TIME,
  },
  hidden: { queue: { sample: 'queue_id', of: 'the owner', absent: anotherLike } },
}
