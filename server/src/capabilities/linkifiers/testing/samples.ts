import { SETTING, type CapabilitySamples } from '../../../testing/capability-samples.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    /** Of a linkifier. */
    readonly filter_id: number
  }
}

export const samples: CapabilitySamples = {
  async make({ owner }) {
    const bugs = { pattern: '#(?P<id>[0-9]+)', url_template: 'https://bugs.example.com/{id}' }
    const { id } = await owner.call('POST', '/realm/filters', bugs)
    return { filter_id: Number(id) }
  },
  values: () => ({ pattern: 'code-(?P<code>[0-9]+)', url_template: 'https://play.example.com/{code}' }),
  inputs: { reorderLinkifiers: ({ filter_id }) => ({ ordered_linkifier_ids: [filter_id] }) },
  names: { filter_id: 'linkifier', ordered_linkifier_ids: 'linkifier' },
  namesNothing: { pattern: SETTING, url_template: SETTING },
  hidden: { linkifier: { sample: 'filter_id', of: 'another organization' } },
}
