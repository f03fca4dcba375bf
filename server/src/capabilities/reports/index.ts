import { capability, command } from '../../platform/capability.ts'
import { reportMessage } from './actions.ts'
import * as contract from './contract.ts'

export const reports = capability({
  name: 'reports',
  tables: [],
  routes: [command(contract.reportMessage, reportMessage)],
})
