import { OWN_WORDS, type CapabilitySamples } from '../../../testing/capability-samples.ts'

export const samples: CapabilitySamples = { namesNothing: { alert_words: OWN_WORDS } }
