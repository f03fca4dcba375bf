import { type CapabilitySamples, SECRET } from '../../../testing/capability-samples.ts'

export const samples: CapabilitySamples = {
  values: ({ email }) => ({ username: email, password: 'a long password' }),
  namesNothing: {
    password: SECRET,
    username: 'logging in is refused alike for whatever reason: see authentication.test.ts',
  },
}
