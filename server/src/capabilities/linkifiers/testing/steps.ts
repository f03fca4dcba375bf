import type { CapabilitySteps } from '../../../testing/steps.ts'
import type { TestUser } from '../../../testing/user.ts'

export const steps: CapabilitySteps = {
  steps: {
    'add linkifier': async ({ actor, what, more }) =>
      actor.try('POST', '/realm/filters', {
        pattern: `#${what % 4}(?P<id>[0-9]+)`,
        url_template: more % 2 === 0 ? 'https://bugs.example/100%/{id}' : 'https://bugs.example/{?id}',
      }),
    'change linkifier': async ({ actor, what, more }) =>
      actor.try('PATCH', `/realm/filters/${await someLinkifier(actor, what)}`, {
        pattern: `#${more % 4}(?P<id>[0-9]+)`,
        url_template: 'https://bugs.example/{id}',
      }),
    'remove linkifier': async ({ actor, what }) =>
      actor.try('DELETE', `/realm/filters/${await someLinkifier(actor, what)}`),
    'order linkifiers': async ({ actor, what }) => {
      const order = await linkifiers(actor)
      const from = what % Math.max(order.length, 1)
      return actor.try('PATCH', '/realm/linkifiers', {
        ordered_linkifier_ids: [...order.slice(from), ...order.slice(0, from)],
      })
    },
  },
}

async function linkifiers(actor: TestUser): Promise<number[]> {
  const { body } = await actor.try('GET', '/realm/linkifiers')
  return ((body['linkifiers'] ?? []) as { id: number }[]).map(({ id }) => id)
}

async function someLinkifier(actor: TestUser, which: number): Promise<number> {
  const ids = await linkifiers(actor)
  return ids[which % ids.length] ?? 999_999
}
