import { capability, direct } from '../../platform/capability.ts'
import { testWelcomeMessage } from './actions.ts'
import * as contract from './contract.ts'
import { greetNewcomers } from './jobs.ts'

/** What the notification bot says to people whose accounts were made, and of them. */
export const newcomers = capability({
  name: 'newcomers',
  tables: [],
  routes: [direct(contract.testWelcomeMessage, testWelcomeMessage)],
  jobs: [greetNewcomers],
})
