import type { CapabilitySamples } from '../../../testing/capability-samples.ts'

export const samples: CapabilitySamples = {}
