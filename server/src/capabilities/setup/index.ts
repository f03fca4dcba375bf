import { capability, open } from '../../platform/capability.ts'
import { lookAtSetup, setUpOrganization } from './actions.ts'
import * as contract from './contract.ts'
import { migrations } from './tables.ts'

export const setup = capability({
  name: 'setup',
  tables: ['setup_links'],
  reads: ['organizations'],
  migrations,
  limits: [contract.SETUP_LINK_LIMIT],
  routes: [open(contract.lookAtSetup, lookAtSetup), open(contract.setUpOrganization, setUpOrganization)],
})
