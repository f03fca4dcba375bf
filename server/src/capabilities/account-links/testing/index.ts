import { type CapabilitySamples } from '../../../testing/capability-samples.ts'

export const samples: CapabilitySamples = {
  namesNothing: {
    'requestPasswordReset.email': 'the response is the same for every address: see passwords.test.ts',
  },
}
