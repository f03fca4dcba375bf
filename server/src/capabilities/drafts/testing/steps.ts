import { some } from '../../../testing/look-up.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'
import type { TestUser } from '../../../testing/user.ts'

export const steps: CapabilitySteps = {
  steps: {
    'begin drafts': async ({ actor, other, what, more }) =>
      actor.try('POST', '/drafts', {
        drafts: [draft(`Draft ${what}`), draft(`Draft ${more}`, other)].slice(0, 1 + (more % 2)),
      }),
    'change draft': async ({ actor, other, what, more }) =>
      actor.try('PATCH', `/drafts/${await some(actor, 'drafts', what)}`, { draft: draft(`Draft ${more}`, other) }),
    'delete draft': async ({ actor, what }) => actor.try('DELETE', `/drafts/${await some(actor, 'drafts', what)}`),
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
