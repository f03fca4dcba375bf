import { capability, open } from '../../platform/capability.ts'
import { hasPublicAccess } from '../channels/rules/visitors.ts'
import { getServerSettings } from '../organizations/contract/index.ts'
import { serverSettings } from '../organizations/index.ts'

/** Visitors: what the server says to somebody without an account before a client registers. */
export const visitors = capability({
  name: 'visitors',
  tables: [],
  routes: [
    open(getServerSettings, async (call) => {
      const isOpen = call.log !== undefined && hasPublicAccess(call.log.world, call.server)
      return Promise.resolve(serverSettings(call, isOpen))
    }),
  ],
})
