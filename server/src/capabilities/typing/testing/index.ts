import type { CapabilitySamples } from '../../../testing/capability-samples.ts'
import { TOPICS, itemAt, listedChannelId, someSentMessage } from '../../../testing/look-up.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'

export const samples: CapabilitySamples = {
  inputs: { setTypingStatus: ({ stream_id }) => ({ type: 'channel', op: 'start', topic: 'hello', stream_id }) },
  names: { 'setTypingStatus.to': 'user' },
}

export const steps: CapabilitySteps = {
  messageSteps: {
    type: async ({ actor, other, what, more }) => {
      const direct = { type: 'direct', to: [other.id] }
      return actor.try('POST', '/typing', {
        op: more % 2 === 0 ? 'start' : 'stop',
        ...(more % 3 === 0
          ? direct
          : { type: 'stream', stream_id: await listedChannelId(actor, what), topic: itemAt(TOPICS, more) }),
      })
    },
    'type over': async ({ scene, actor, what, more }) =>
      actor.try('POST', `/messages/${someSentMessage(scene, what)}/typing`, { op: more % 2 === 0 ? 'start' : 'stop' }),
  },
}
