import { type CapabilitySamples, SETTING } from '../../../testing/capability-samples.ts'
import { someId } from '../../../testing/look-up.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    readonly playground_id: number
  }
}

export const samples: CapabilitySamples = {
  async make({ owner }) {
    const code = { name: 'Any', highlighter_language: 'Any', url_template: 'https://play.example.com/{code}' }
    const { id } = await owner.call('POST', '/realm/playgrounds', code)
    return { playground_id: id }
  },
  names: { playground_id: 'playground' },
  namesNothing: { highlighter_language: SETTING },
  hidden: { playground: { sample: 'playground_id', of: 'another organization' } },
}

export const steps: CapabilitySteps = {
  steps: {
    'add playground': async ({ actor, what, more }) =>
      actor.try('POST', '/realm/playgrounds', {
        name: `Playground ${more % 5}`,
        highlighter_language: `Language ${what % 3}`,
        url_template: 'https://play.example/{code}',
      }),
    'remove playground': async ({ actor, what }) =>
      actor.try('DELETE', `/realm/playgrounds/${await someId(actor, 'realm_playgrounds', what)}`),
  },
}
