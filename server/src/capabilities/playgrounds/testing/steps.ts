import { some } from '../../../testing/look-up.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'

export const steps: CapabilitySteps = {
  steps: {
    'add playground': async ({ actor, what, more }) =>
      actor.try('POST', '/realm/playgrounds', {
        name: `Playground ${more % 5}`,
        highlighter_language: `Language ${what % 3}`,
        url_template: 'https://play.example/{code}',
      }),
    'remove playground': async ({ actor, what }) =>
      actor.try('DELETE', `/realm/playgrounds/${await some(actor, 'realm_playgrounds', what)}`),
  },
}
