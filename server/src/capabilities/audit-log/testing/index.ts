import { API_WORD, type CapabilitySamples, TIME } from '../../../testing/capability-samples.ts'

export const samples: CapabilitySamples = {
  namesNothing: { kind: API_WORD, since: TIME, until: TIME },
}
