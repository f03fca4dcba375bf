import type { CapabilitySteps } from '../../../testing/steps.ts'
import type { TestUser } from '../../../testing/user.ts'

const FRAGMENTS = ['inbox', 'narrow/is/alerted', 'narrow/channel/1-a/topic/b.20c', 'δ?#%']

export const steps: CapabilitySteps = {
  steps: {
    'add view': async ({ actor, what, more }) =>
      actor.try('POST', '/navigation_views', {
        fragment: fragment(what),
        is_pinned: more % 2 === 0,
        ...(more % 3 === 0 ? {} : { name: `View ${more}` }),
      }),
    'change view': async ({ actor, what, more }) =>
      actor.try(
        'PATCH',
        `/navigation_views/${await someView(actor, what)}`,
        more % 2 === 0 ? { is_pinned: more % 4 === 0 } : { name: `View ${more}` },
      ),
    'remove view': async ({ actor, what }) => actor.try('DELETE', `/navigation_views/${await someView(actor, what)}`),
  },
}

/** The path of one of the actor's views, or of none. */
async function someView(actor: TestUser, which: number): Promise<string> {
  const { body } = await actor.try('GET', '/navigation_views')
  const views = (body['navigation_views'] ?? []) as { fragment: string }[] // as declared
  return encodeURIComponent(views[which % views.length]?.fragment ?? 'nothing')
}

function fragment(what: number): string {
  return FRAGMENTS[what % FRAGMENTS.length] ?? ''
}
