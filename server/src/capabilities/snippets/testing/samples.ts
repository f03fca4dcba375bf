import { OWN_WORDS, type CapabilitySamples } from '../../../testing/capability-samples.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    readonly saved_snippet_id: number
  }
}

export const samples: CapabilitySamples = {
  async makeOwn(user) {
    const { saved_snippet_id } = await user.call('POST', '/saved_snippets', { title: 'Mine', content: 'zanzibar' })
    return { saved_snippet_id: Number(saved_snippet_id) }
  },
  names: { saved_snippet_id: 'snippet' },
  namesNothing: { title: OWN_WORDS },
  hidden: { snippet: { sample: 'saved_snippet_id', of: 'the owner' } },
}
