import { type CapabilitySamples, OWN_WORDS } from '../../../testing/capability-samples.ts'
import { someId } from '../../../testing/look-up.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    readonly saved_snippet_id: number
  }
}

export const samples: CapabilitySamples = {
  async makeOwn(user) {
    const { saved_snippet_id } = await user.call('POST', '/saved_snippets', { title: 'Mine', content: 'zanzibar' })
    return { saved_snippet_id: saved_snippet_id }
  },
  names: { saved_snippet_id: 'snippet' },
  namesNothing: { title: OWN_WORDS },
  hidden: { snippet: { sample: 'saved_snippet_id', of: 'the owner' } },
}

export const steps: CapabilitySteps = {
  steps: {
    'save snippet': async ({ actor, what, more }) =>
      actor.try('POST', '/saved_snippets', { title: `Title ${what}`, content: `**${more}**` }),
    'change snippet': async ({ actor, what, more }) =>
      actor.try('PATCH', `/saved_snippets/${await someId(actor, 'saved_snippets', what)}`, {
        ...(more % 2 === 0 ? { title: `Title ${more}` } : {}),
        ...(more % 3 === 0 ? { content: `_${more}_` } : {}),
      }),
    'delete snippet': async ({ actor, what }) =>
      actor.try('DELETE', `/saved_snippets/${await someId(actor, 'saved_snippets', what)}`),
  },
}
