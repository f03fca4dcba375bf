import type { CapabilitySamples } from '../../../testing/capability-samples.ts'

export const samples: CapabilitySamples = {
  names: { 'getChannelEmailAddress.sender_id': 'user', 'renewChannelEmailAddress.sender_id': 'user' },
}
