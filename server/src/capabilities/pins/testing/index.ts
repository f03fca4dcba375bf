import { API_WORD, type CapabilitySamples, OWN_WORDS } from '../../../testing/capability-samples.ts'
import { listedChannelId, someSentMessage } from '../../../testing/look-up.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'
import type { TestUser } from '../../../testing/user.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    readonly link_id: number
  }
}

export const samples: CapabilitySamples = {
  async make({ owner }, { stream_id }) {
    const { link_id } = await owner.call('POST', `/streams/${stream_id}/links`, {
      title: 'Docs',
      url: 'https://docs.example.com',
    })
    return { link_id }
  },
  async makeOwn(user, { stream_id, message_id }) {
    await user.call('POST', `/streams/${stream_id}/pins`, { message_id, scope: 'topic' })
    return {}
  },
  inputs: { reorderChannelLinks: ({ link_id }) => ({ order: [link_id] }) },
  names: { link_id: 'link', 'reorderChannelLinks.order': 'link' },
  namesNothing: { url: OWN_WORDS, scope: API_WORD },
  hidden: { link: { sample: 'link_id', of: 'another organization' } },
}

export const steps: CapabilitySteps = {
  messageSteps: {
    pin: async ({ scene, actor, what, more }) => {
      const messageId = someSentMessage(scene, what)
      const { body } = await actor.try('GET', `/messages/${messageId}`)
      const channelId = body.message?.stream_id ?? 999_999
      const scope = more % 2 === 0 ? 'channel' : 'topic'
      return actor.try('POST', `/streams/${channelId}/pins`, { message_id: messageId, scope })
    },
    unpin: async ({ actor, what, more }) => {
      const channelId = await listedChannelId(actor, what)
      const { body } = await actor.try('GET', `/streams/${channelId}/pins`)
      const pins = body.pins ?? []
      return actor.try('DELETE', `/streams/${channelId}/pins/${pins[more % pins.length]?.message_id ?? 999_999}`)
    },
    'add link': async ({ actor, what, more }) =>
      actor.try('POST', `/streams/${await listedChannelId(actor, what)}/links`, {
        title: `Link ${more}`,
        url: more % 5 === 0 ? '/#recent' : `https://example.com/${more}`,
      }),
    'update link': async ({ actor, what, more }) => {
      const [channelId, links] = await linksIn(actor, what)
      const change = more % 2 === 0 ? { title: `Link ${more}` } : { url: `mailto:link-${more}@example.com` }
      return actor.try('PATCH', `/streams/${channelId}/links/${links[more % links.length] ?? 999_999}`, change)
    },
    'order links': async ({ actor, what, more }) => {
      const [channelId] = await linksIn(actor, what)
      for (const url of ['/#inbox', '/#recent']) {
        await actor.try('POST', `/streams/${channelId}/links`, { title: `Link ${more}`, url })
      }
      const [, links] = await linksIn(actor, what)
      const from = more % Math.max(links.length, 1)
      return actor.try('PATCH', `/streams/${channelId}/links`, {
        order: [...links.slice(from), ...links.slice(0, from)],
      })
    },
    'delete link': async ({ actor, what, more }) => {
      const [channelId, links] = await linksIn(actor, what)
      return actor.try('DELETE', `/streams/${channelId}/links/${links[more % links.length] ?? 999_999}`)
    },
  },
}

async function linksIn(actor: TestUser, which: number): Promise<[channelId: number, linkIds: number[]]> {
  const channelId = await listedChannelId(actor, which)
  const { body } = await actor.try('GET', `/streams/${channelId}/pins`)
  return [channelId, (body.links ?? []).map(({ link_id }) => link_id)]
}
