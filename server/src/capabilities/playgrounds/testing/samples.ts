import { SETTING, type CapabilitySamples } from '../../../testing/capability-samples.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    readonly playground_id: number
  }
}

export const samples: CapabilitySamples = {
  async make({ owner }) {
    const code = { name: 'Any', highlighter_language: 'Any', url_template: 'https://play.example.com/{code}' }
    const { id } = await owner.call('POST', '/realm/playgrounds', code)
    return { playground_id: Number(id) }
  },
  names: { playground_id: 'playground' },
  namesNothing: { highlighter_language: SETTING },
  hidden: { playground: { sample: 'playground_id', of: 'another organization' } },
}
