import { capability, direct } from '../../platform/capability.ts'
import { testWelcomeMessage } from './actions.ts'
import * as contract from './contract.ts'
import { greetNewcomers } from './jobs.ts'

export const newcomers = capability({
  name: 'newcomers',
  tables: [],
  routes: [direct(contract.testWelcomeMessage, testWelcomeMessage)],
  jobs: [greetNewcomers],
})
