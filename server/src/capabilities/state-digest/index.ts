import { capability, direct } from '../../platform/capability.ts'
import { getStateDigest } from './actions.ts'
import * as contract from './contract.ts'

/** State digest: by which a client sees whether the state it has folded is what registering anew would answer. */
export const stateDigest = capability({
  name: 'state-digest',
  tables: [],
  routes: [direct(contract.getStateDigest, getStateDigest)],
})
