import { some } from '../../../testing/look-up.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'

export const steps: CapabilitySteps = {
  steps: {
    'save snippet': async ({ actor, what, more }) =>
      actor.try('POST', '/saved_snippets', { title: `Title ${what}`, content: `**${more}**` }),
    'change snippet': async ({ actor, what, more }) =>
      actor.try('PATCH', `/saved_snippets/${await some(actor, 'saved_snippets', what)}`, {
        ...(more % 2 === 0 ? { title: `Title ${more}` } : {}),
        ...(more % 3 === 0 ? { content: `_${more}_` } : {}),
      }),
    'delete snippet': async ({ actor, what }) =>
      actor.try('DELETE', `/saved_snippets/${await some(actor, 'saved_snippets', what)}`),
  },
}
