import type { CapabilitySamples } from '../../../testing/capability-samples.ts'

export const samples: CapabilitySamples = {
  values: ({ user_id }) => ({ muted_user_id: user_id }),
  names: { muted_user_id: 'user' },
}
