import { type CapabilitySamples, OWN_WORDS, SECRET } from '../../../testing/capability-samples.ts'

export const samples: CapabilitySamples = {
  namesNothing: {
    'getSetup.token': SECRET,
    'setUpOrganization.token': SECRET,
    'setUpOrganization.email': 'no account exists yet: see setup.test.ts',
    realm_name: OWN_WORDS,
  },
}
