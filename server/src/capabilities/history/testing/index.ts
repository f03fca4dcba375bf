import { API_WORD, COUNT, type CapabilitySamples, TIME } from '../../../testing/capability-samples.ts'

const NARROW = [{ operator: 'channel', operand: 'general', negated: false }]

export const samples: CapabilitySamples = {
  values: () => ({ anchor: 'newest', num_before: 1, num_after: 1 }),
  inputs: {
    matchesNarrow: () => ({ narrow: NARROW }),
    getMessages: () => ({ anchor: 'newest', num_before: 1, num_after: 1, narrow: NARROW }),
  },
  names: { anchor: 'message' },
  namesNothing: { anchor_date: TIME, num_after: COUNT, num_before: COUNT, operator: API_WORD },
}
