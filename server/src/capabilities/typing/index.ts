import { capability, direct } from '../../platform/capability.ts'
import { isLimitedGuestViewer } from '../users/rules/visibility.ts'
import { setTypingStatus, setTypingStatusForMessageEdit } from './actions.ts'
import * as contract from './contract.ts'
import { editTypingToClient, isEditTypingWanted, isTypingWanted, typingToClient } from './queries.ts'

// Those who do not see everybody may not know who else would get the message.
const WHO_TYPES = { isWanted: isTypingWanted, encodeSeparately: isLimitedGuestViewer, toClient: typingToClient }
const WHO_EDITS = { isWanted: isEditTypingWanted, toClient: editTypingToClient }

/** Typing: who is writing right now. Nothing of it is kept. */
export const typing = capability({
  name: 'typing',
  tables: [],
  routes: [
    direct(contract.setTypingStatus, setTypingStatus),
    direct(contract.setTypingStatusForMessageEdit, setTypingStatusForMessageEdit),
  ],
  events: [
    { event: contract.typingStarted, ...WHO_TYPES },
    { event: contract.typingStopped, ...WHO_TYPES },
    { event: contract.editTypingStarted, ...WHO_EDITS },
    { event: contract.editTypingStopped, ...WHO_EDITS },
  ],
})
