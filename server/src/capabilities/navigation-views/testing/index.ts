import type { CapabilitySamples } from '../../../testing/capability-samples.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'
import type { TestUser } from '../../../testing/user.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    readonly fragment: string
  }
}

export const samples: CapabilitySamples = {
  async make({ owner }) {
    const own = 'narrow/is/dm'
    await owner.call('POST', '/navigation_views', { fragment: own, is_pinned: true, name: 'Direct' })
    return { fragment: own }
  },
  inputs: { addNavigationView: () => ({ fragment: 'narrow/is/unread' }) },
  names: { fragment: 'view' },
  hidden: { view: { sample: 'fragment', of: 'the owner', absent: () => 'narrow/is/me' } },
}

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

async function someView(actor: TestUser, which: number): Promise<string> {
  const { body } = await actor.try('GET', '/navigation_views')
  const views = body['navigation_views'] ?? []
  return encodeURIComponent(views[which % views.length]?.fragment ?? 'nothing')
}

function fragment(what: number): string {
  return FRAGMENTS[what % FRAGMENTS.length] ?? ''
}
