import { type CapabilitySamples, TIME } from '../../../testing/capability-samples.ts'
import { someId } from '../../../testing/look-up.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'
import type { TestUser } from '../../../testing/user.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    readonly draft_id: number
  }
}

const IGNORED_VALUE = "the client's value is ignored"

export const samples: CapabilitySamples = {
  async makeOwn(user) {
    const { ids } = await user.call('POST', '/drafts', {
      drafts: [{ type: '', to: [], topic: '', content: 'zanzibar' }],
    })
    // Safe: the API client validated the response.
    return { draft_id: Number(ids[0]) }
  },
  names: { draft_id: 'draft', 'createDrafts.to': ['channel', 'user'], 'updateDraft.to': ['channel', 'user'] },
  namesNothing: { 'createDrafts.id': IGNORED_VALUE, 'updateDraft.id': IGNORED_VALUE, timestamp: TIME },
  hidden: { draft: { sample: 'draft_id', of: 'the owner' } },
}

export const steps: CapabilitySteps = {
  steps: {
    'begin drafts': async ({ actor, other, what, more }) =>
      actor.try('POST', '/drafts', {
        drafts: [draft(`Draft ${what}`), draft(`Draft ${more}`, other)].slice(0, 1 + (more % 2)),
      }),
    'change draft': async ({ actor, other, what, more }) =>
      actor.try('PATCH', `/drafts/${await someId(actor, 'drafts', what)}`, { draft: draft(`Draft ${more}`, other) }),
    'delete draft': async ({ actor, what }) => actor.try('DELETE', `/drafts/${await someId(actor, 'drafts', what)}`),
  },
}

function draft(content: string, reader?: TestUser): Record<string, unknown> {
  return {
    type: reader === undefined ? '' : 'private',
    to: reader === undefined ? [] : [reader.id],
    topic: '',
    content,
  }
}
