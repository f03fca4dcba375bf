import { TIME, type CapabilitySamples } from '../../../testing/capability-samples.ts'

export const samples: CapabilitySamples = {
  values: () => ({ status: 'active' }),
  namesNothing: {
    history_limit_days: TIME,
    last_update_id: 'a place among updates',
    presence_history_limit_days: TIME,
  },
}
