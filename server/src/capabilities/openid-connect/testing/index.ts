import { type CapabilitySamples, SECRET } from '../../../testing/capability-samples.ts'

export const samples: CapabilitySamples = {
  namesNothing: {
    state: SECRET,
    code: SECRET,
    iss: 'the issuer, which is compared with the configured one',
    error: "the provider's error, which is not looked up",
    'beginOpenidLogin.token': SECRET,
  },
}
