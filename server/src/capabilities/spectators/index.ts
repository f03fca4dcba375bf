import { capability, open } from '../../platform/capability.ts'
import * as contract from '../organizations/contract/index.ts'
import { getServerSettings } from './queries.ts'

/** Spectators: what the server says to somebody without an account before a client registers. */
export const spectators = capability({
  name: 'spectators',
  tables: [],
  routes: [open(contract.getServerSettings, getServerSettings)],
})
