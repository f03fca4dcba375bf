import { type CapabilitySamples, SECRET } from '../../../testing/capability-samples.ts'

export const samples: CapabilitySamples = {
  namesNothing: {
    state: SECRET,
    code: SECRET,
    iss: 'the provider, which is compared with the one that the server knows',
    error: 'what the provider says, in which nothing is looked up',
    'beginOpenidLogin.token': SECRET,
  },
}
