import { TIME, type CapabilitySamples } from '../../../testing/capability-samples.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    readonly draft_id: number
  }
}

const NOT_USED = 'what the client says is not used'

export const samples: CapabilitySamples = {
  async makeOwn(user) {
    const { ids } = await user.call('POST', '/drafts', {
      drafts: [{ type: '', to: [], topic: '', content: 'zanzibar' }],
    })
    // The answer was checked against its declaration.
    return { draft_id: Number((ids as number[])[0]) }
  },
  names: { draft_id: 'draft', 'createDrafts.to': ['channel', 'user'], 'updateDraft.to': ['channel', 'user'] },
  namesNothing: { 'createDrafts.id': NOT_USED, 'updateDraft.id': NOT_USED, timestamp: TIME },
  hidden: { draft: { sample: 'draft_id', of: 'the owner' } },
}
