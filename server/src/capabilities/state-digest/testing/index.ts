import { API_WORD, type CapabilitySamples } from '../../../testing/capability-samples.ts'

export const samples: CapabilitySamples = {
  namesNothing: { entries_of: API_WORD },
}
