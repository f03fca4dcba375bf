import { type CapabilitySamples, SETTING } from '../../../testing/capability-samples.ts'

export const samples: CapabilitySamples = {
  namesNothing: { access: SETTING, is_allowed: SETTING },
}
