import { randomUUID } from 'node:crypto'
import { API_WORD, NEW_NAME, OWN_WORDS, type CapabilitySamples } from '../../../testing/capability-samples.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    /** Of a bot of the owner. */
    readonly bot_id: number
    /** A key under which the owner has stored something. */
    readonly stored_key: string
  }
}

export const samples: CapabilitySamples = {
  async make({ owner }) {
    const { user_id } = await owner.call('POST', '/bots', { full_name: 'Sample Bot', short_name: 'sample' })
    await owner.call('PUT', '/bot_storage', { storage: { sample: 'Kept' } })
    return { bot_id: Number(user_id), stored_key: 'sample' }
  },
  inputs: {
    createBot: () => ({ full_name: randomUUID(), short_name: randomUUID() }),
    updateBot: () => ({ default_all_public_streams: true }),
  },
  names: {
    bot_id: 'user',
    bot_owner_id: 'user',
    keys: 'stored',
    default_sending_stream: 'channel',
    default_events_register_stream: 'channel',
  },
  namesNothing: { bot_type: API_WORD, short_name: NEW_NAME, storage: OWN_WORDS },
  hidden: { stored: { sample: 'stored_key', of: 'the owner', absent: () => 'simple' } },
}
