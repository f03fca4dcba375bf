import { capability, open } from '../../platform/capability.ts'
import { getRegistrationChallenge } from './actions.ts'
import * as contract from './contract.ts'
import { migrations } from './tables.ts'

export const registrationChallenges = capability({
  name: 'registration-challenges',
  tables: ['used_challenges'],
  migrations,
  // Challenges expire within half an hour.
  omitted: { used_challenges: null },
  routes: [open(contract.getRegistrationChallenge, getRegistrationChallenge)],
})
