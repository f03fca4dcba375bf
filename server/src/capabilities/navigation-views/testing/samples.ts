import type { CapabilitySamples } from '../../../testing/capability-samples.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    /** Of a navigation view of the owner. */
    readonly fragment: string
  }
}

export const samples: CapabilitySamples = {
  async make({ owner }) {
    const fragment = 'narrow/is/dm'
    await owner.call('POST', '/navigation_views', { fragment, is_pinned: true, name: 'Direct' })
    return { fragment }
  },
  inputs: { addNavigationView: () => ({ fragment: 'narrow/is/unread' }) },
  names: { fragment: 'view' },
  hidden: { view: { sample: 'fragment', of: 'the owner', absent: () => 'narrow/is/me' } },
}
