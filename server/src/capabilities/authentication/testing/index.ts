import { type CapabilitySamples, OWN_WORDS, SECRET } from '../../../testing/capability-samples.ts'

export const samples: CapabilitySamples = {
  values: ({ email }) => ({ username: email, password: 'a long password' }),
  namesNothing: {
    own_words: OWN_WORDS,
    password: SECRET,
    username: 'failed sign-ins get the same response: see authentication.test.ts',
  },
}
