import { at, namedChannel, sentIn, TOPICS } from '../../../testing/look-up.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'

export const steps: CapabilitySteps = {
  messageSteps: {
    type: async ({ actor, other, what, more }) => {
      const direct = { type: 'direct', to: [other.id] }
      return actor.try('POST', '/typing', {
        op: more % 2 === 0 ? 'start' : 'stop',
        ...(more % 3 === 0
          ? direct
          : { type: 'stream', stream_id: await namedChannel(actor, what), topic: at(TOPICS, more) }),
      })
    },
    'type over': async ({ scene, actor, what, more }) =>
      actor.try('POST', `/messages/${sentIn(scene, what)}/typing`, { op: more % 2 === 0 ? 'start' : 'stop' }),
  },
}
