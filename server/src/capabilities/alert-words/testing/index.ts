import { type CapabilitySamples, OWN_WORDS } from '../../../testing/capability-samples.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'

export const samples: CapabilitySamples = { namesNothing: { alert_words: OWN_WORDS } }

export const steps: CapabilitySteps = {
  steps: {
    'add alert words': async ({ actor, what, more }) =>
      actor.try('POST', '/users/me/alert_words', { alert_words: [`word ${what % 6}`, `WORD ${more % 6}`] }),
    'remove alert words': async ({ actor, what, more }) =>
      actor.try('DELETE', '/users/me/alert_words', { alert_words: [`Word ${what % 6}`, `word ${more % 6}`] }),
  },
}
