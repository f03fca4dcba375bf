import { capability, direct } from '../../platform/capability.ts'
import { isLimitedGuestViewer } from '../users/rules/visibility.ts'
import { setTypingStatus, setTypingStatusForMessageEdit } from './actions.ts'
import * as contract from './contract.ts'
import { editTypingToClient, isEditTypingWanted, isTypingWanted, typingToClient } from './queries.ts'

/** Typing: who is writing right now. Nothing of it is kept. */
export const typing = capability({
  name: 'typing',
  tables: [],
  routes: [
    direct(contract.setTypingStatus, setTypingStatus),
    direct(contract.setTypingStatusForMessageEdit, setTypingStatusForMessageEdit),
  ],
  events: [
    // Limited guests may not know which other accounts would get the message.
    {
      event: contract.typingStarted,
      isWanted: isTypingWanted,
      encodeSeparately: isLimitedGuestViewer,
      toClient: typingToClient,
    },
    {
      event: contract.typingStopped,
      isWanted: isTypingWanted,
      encodeSeparately: isLimitedGuestViewer,
      toClient: typingToClient,
    },
    { event: contract.editTypingStarted, isWanted: isEditTypingWanted, toClient: editTypingToClient },
    { event: contract.editTypingStopped, isWanted: isEditTypingWanted, toClient: editTypingToClient },
  ],
})
