import { capability, direct } from '../../platform/capability.ts'
import { isLimitedGuestViewer } from '../users/rules/visibility.ts'
import { setTypingStatus, setTypingStatusForMessageEdit } from './actions.ts'
import * as contract from './contract.ts'
import { editTypingToClient, isEditTypingWanted, isTypingWanted, typingToClient } from './queries.ts'

export const typing = capability({
  name: 'typing',
  tables: [],
  routes: [
    direct(contract.setTypingStatus, setTypingStatus),
    direct(contract.setTypingStatusForMessageEdit, setTypingStatusForMessageEdit),
  ],
  events: [
    // Encodes the event for each limited guest, to hide the email addresses of people whom the guest cannot see.
    {
      event: contract.typingStarted,
      administration: false,
      isWanted: isTypingWanted,
      encodeSeparately: isLimitedGuestViewer,
      toClient: typingToClient,
    },
    {
      event: contract.typingStopped,
      administration: false,
      isWanted: isTypingWanted,
      encodeSeparately: isLimitedGuestViewer,
      toClient: typingToClient,
    },
    {
      event: contract.editTypingStarted,
      administration: false,
      isWanted: isEditTypingWanted,
      toClient: editTypingToClient,
    },
    {
      event: contract.editTypingStopped,
      administration: false,
      isWanted: isEditTypingWanted,
      toClient: editTypingToClient,
    },
  ],
})
