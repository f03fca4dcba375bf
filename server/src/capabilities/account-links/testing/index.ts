import { type CapabilitySamples } from '../../../testing/capability-samples.ts'

export const samples: CapabilitySamples = {
  namesNothing: {
    'requestPasswordReset.email': 'every address is answered alike: see passwords.test.ts',
  },
}
