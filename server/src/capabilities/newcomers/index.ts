import { capability, direct } from '../../platform/capability.ts'
import { testWelcomeMessage } from './actions.ts'
import * as contract from './contract.ts'
import { greetNewcomers } from './jobs.ts'

/** Notification bot messages to and about new users. */
export const newcomers = capability({
  name: 'newcomers',
  tables: [],
  routes: [direct(contract.testWelcomeMessage, testWelcomeMessage)],
  jobs: [greetNewcomers],
})
