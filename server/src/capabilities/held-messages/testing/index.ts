import { type CapabilitySamples, OWN_WORDS } from '../../../testing/capability-samples.ts'
import { itemAt, listedChannelId, TOPICS } from '../../../testing/look-up.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    readonly held_message_id: number
  }
}

export const samples: CapabilitySamples = {
  async make({ owner, user }, { stream_id }) {
    const author = await user('Hal Held')
    await owner.call('PATCH', '/realm', { held_message_patterns: 'heldword' })
    const message = { type: 'stream', to: stream_id, topic: 'plans', content: 'heldword' }
    const { body } = await author.try('POST', '/messages', message)
    await owner.call('PATCH', '/realm', { held_message_patterns: '' })
    return { held_message_id: Number(body['held_message_id']) }
  },
  names: { held_message_id: 'held message' },
  namesNothing: { 'rejectHeldMessage.reason': OWN_WORDS },
  hidden: { 'held message': { sample: 'held_message_id', of: 'another organization' } },
}

export const steps: CapabilitySteps = {
  messageSteps: {
    'hold message': async ({ scene, what, more }) => {
      const { owner } = scene.organization
      await owner.try('PATCH', '/realm', { held_message_patterns: 'heldword' })
      // A lock-down would refuse the messages.
      await owner.try('DELETE', '/lock_down')
      // Most people cannot post in the channel, are deactivated, or moderate, so that their messages are sent at once.
      for (const author of scene.people) {
        const to = await listedChannelId(author, what)
        const message = { type: 'stream', to, topic: itemAt(TOPICS, more), content: `heldword ${more}` }
        const { body } = await author.try('POST', '/messages', message)
        if (body['id'] !== undefined) scene.sent.push(body['id'])
      }
    },
    'review message': async ({ actor, what, more, scene }) => {
      const { body } = await actor.try('GET', '/held_messages/queue')
      const { held_messages: held = [] } = body
      const path = `/held_messages/${held[what % Math.max(held.length, 1)]?.held_message_id ?? 999_999}` as const
      if (more % 2 === 0) return actor.try('POST', `${path}/reject`, { reason: `Number ${more}` })
      const approved = await actor.try('POST', `${path}/approve`)
      if (approved.body['id'] !== undefined) scene.sent.push(approved.body['id'])
      return approved
    },
    'withdraw message': async ({ other, what }) => {
      const { body } = await other.try('GET', '/held_messages')
      const { held_messages: held = [] } = body
      return other.try('DELETE', `/held_messages/${held[what % Math.max(held.length, 1)]?.held_message_id ?? 999_999}`)
    },
  },
}
