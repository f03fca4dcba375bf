import { API_WORD, type CapabilitySamples, TIME } from '../../../testing/capability-samples.ts'

export const samples: CapabilitySamples = {
  // Values that match no entry, because entries share no IDs with other objects.
  namesNothing: { kind: API_WORD, since: TIME, until: TIME },
}
