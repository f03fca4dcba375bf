import { type CapabilitySamples, COUNT } from '../../../testing/capability-samples.ts'

export const samples: CapabilitySamples = {
  namesNothing: { days: COUNT },
}
