import { capability, open } from '../../platform/capability.ts'
import { hasPublicAccess } from '../channels/rules/spectators.ts'
import { getServerSettings } from '../organizations/contract/index.ts'
import { serverSettings } from '../organizations/index.ts'

/** Spectators: what the server says to somebody without an account before a client registers. */
export const spectators = capability({
  name: 'spectators',
  tables: [],
  routes: [
    open(getServerSettings, async (call) => {
      const isOpen = call.log !== undefined && hasPublicAccess(call.log.organization, call.server)
      return Promise.resolve(serverSettings(call, isOpen))
    }),
  ],
})
