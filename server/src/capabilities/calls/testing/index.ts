import { type CapabilitySamples, OWN_WORDS } from '../../../testing/capability-samples.ts'

export const samples: CapabilitySamples = { namesNothing: { meeting_name: OWN_WORDS } }
