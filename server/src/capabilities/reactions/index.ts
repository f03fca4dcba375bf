import { capability, direct } from '../../platform/capability.ts'
import { isLimitedGuestViewer } from '../users/rules/visibility.ts'
import { addReaction, removeReaction } from './actions.ts'
import * as contract from './contract.ts'
import { reactionToClient } from './queries.ts'
import { exportedTables, migrations } from './tables.ts'

export const reactions = capability({
  name: 'reactions',
  tables: ['reactions'],
  migrations,
  exportedTables,
  limits: [contract.MESSAGE_EMOJI_LIMIT],
  routes: [direct(contract.addReaction, addReaction), direct(contract.removeReaction, removeReaction)],
  events: [
    {
      event: contract.reactionAdded,
      administration: false,
      encodeSeparately: isLimitedGuestViewer,
      toClient: reactionToClient,
    },
    {
      event: contract.reactionRemoved,
      administration: false,
      encodeSeparately: isLimitedGuestViewer,
      toClient: reactionToClient,
    },
  ],
})
