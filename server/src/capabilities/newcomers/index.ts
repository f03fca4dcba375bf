import { capability, command } from '../../platform/capability.ts'
import { renderWelcome, testWelcomeMessage } from './actions.ts'
import * as contract from './contract.ts'
import { greetNewcomers } from './jobs.ts'

export const newcomers = capability({
  name: 'newcomers',
  tables: [],
  routes: [command(contract.testWelcomeMessage, testWelcomeMessage, { prepare: renderWelcome })],
  jobs: [greetNewcomers],
})
