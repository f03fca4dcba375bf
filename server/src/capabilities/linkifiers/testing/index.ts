import { type CapabilitySamples, SETTING } from '../../../testing/capability-samples.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'
import type { TestUser } from '../../../testing/user.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    readonly filter_id: number
  }
}

export const samples: CapabilitySamples = {
  async make({ owner }) {
    const bugs = { pattern: '#(?P<id>[0-9]+)', url_template: 'https://bugs.example.com/{id}' }
    const { id } = await owner.call('POST', '/realm/filters', bugs)
    return { filter_id: id }
  },
  values: () => ({ pattern: 'code-(?P<code>[0-9]+)', url_template: 'https://play.example.com/{code}' }),
  inputs: { reorderLinkifiers: ({ filter_id }) => ({ ordered_linkifier_ids: [filter_id] }) },
  names: { filter_id: 'linkifier', ordered_linkifier_ids: 'linkifier' },
  namesNothing: { pattern: SETTING, url_template: SETTING },
  hidden: { linkifier: { sample: 'filter_id', of: 'another organization' } },
}

export const steps: CapabilitySteps = {
  steps: {
    'add linkifier': async ({ actor, what, more }) =>
      actor.try('POST', '/realm/filters', {
        pattern: `#${what % 4}(?P<id>[0-9]+)`,
        url_template: more % 2 === 0 ? 'https://bugs.example/100%/{id}' : 'https://bugs.example/{?id}',
      }),
    'change linkifier': async ({ actor, what, more }) =>
      actor.try('PATCH', `/realm/filters/${await pickLinkifier(actor, what)}`, {
        pattern: `#${more % 4}(?P<id>[0-9]+)`,
        url_template: 'https://bugs.example/{id}',
      }),
    'remove linkifier': async ({ actor, what }) =>
      actor.try('DELETE', `/realm/filters/${await pickLinkifier(actor, what)}`),
    'order linkifiers': async ({ actor, what }) => {
      const order = await linkifierIds(actor)
      const from = what % Math.max(order.length, 1)
      return actor.try('PATCH', '/realm/linkifiers', {
        ordered_linkifier_ids: [...order.slice(from), ...order.slice(0, from)],
      })
    },
  },
}

async function linkifierIds(actor: TestUser): Promise<number[]> {
  const { body } = await actor.try('GET', '/realm/linkifiers')
  return (body.linkifiers ?? []).map(({ id }) => id)
}

async function pickLinkifier(actor: TestUser, which: number): Promise<number> {
  const ids = await linkifierIds(actor)
  return ids[which % ids.length] ?? 999_999
}
