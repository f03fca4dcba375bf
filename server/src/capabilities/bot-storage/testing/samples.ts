import { OWN_WORDS, type CapabilitySamples } from '../../../testing/capability-samples.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    /** A key under which the owner has stored something. */
    readonly stored_key: string
  }
}

export const samples: CapabilitySamples = {
  async make({ owner }) {
    await owner.call('PUT', '/bot_storage', { storage: { sample: 'Kept' } })
    return { stored_key: 'sample' }
  },
  names: { keys: 'stored' },
  namesNothing: { storage: OWN_WORDS },
  hidden: { stored: { sample: 'stored_key', of: 'the owner', absent: () => 'simple' } },
}
