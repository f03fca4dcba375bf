import { capability, open } from '../../platform/capability.ts'
import { getSetup, setUpOrganization } from './actions.ts'
import * as contract from './contract.ts'
import { migrations } from './tables.ts'

export const setup = capability({
  name: 'setup',
  tables: ['setup_links'],
  reads: ['organizations'],
  migrations,
  limits: [contract.SETUP_LINK_LIMIT],
  routes: [open(contract.getSetup, getSetup), open(contract.setUpOrganization, setUpOrganization)],
})
