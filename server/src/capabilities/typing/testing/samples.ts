import type { CapabilitySamples } from '../../../testing/capability-samples.ts'

export const samples: CapabilitySamples = {
  inputs: { setTypingStatus: ({ stream_id }) => ({ type: 'channel', op: 'start', topic: 'hello', stream_id }) },
  names: { 'setTypingStatus.to': 'user' },
}
