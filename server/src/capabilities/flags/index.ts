import { capability, direct } from '../../platform/capability.ts'
import {
  markAllAsRead,
  markStreamAsRead,
  markTopicAsRead,
  updateMessageFlags,
  updateMessageFlagsForNarrow,
} from './actions/update.ts'
import * as contract from './contract.ts'
import { flagsAddedToClient, flagsRemovedToClient, starredMessagesSnapshot, unreadSnapshot } from './queries/index.ts'
import { exportedTables, migrations } from './tables.ts'

export const flags = capability({
  name: 'flags',
  tables: ['message_flags', 'topic_reads', 'user_reads'],
  reads: ['conversation_members', 'conversations', 'messages', 'organizations', 'subscriptions', 'topics'],
  migrations,
  exportedTables,
  routes: [
    direct(contract.updateMessageFlags, updateMessageFlags),
    direct(contract.updateMessageFlagsForNarrow, updateMessageFlagsForNarrow),
    direct(contract.markAllAsRead, markAllAsRead),
    direct(contract.markStreamAsRead, markStreamAsRead),
    direct(contract.markTopicAsRead, markTopicAsRead),
  ],
  events: [
    { event: contract.flagsAdded, administration: false, toClient: flagsAddedToClient },
    { event: contract.flagsRemoved, administration: false, toClient: flagsRemovedToClient },
  ],
  snapshot: [
    { eventTypes: ['starred_messages'], read: starredMessagesSnapshot },
    { eventTypes: ['message', 'update_message_flags'], read: unreadSnapshot },
  ],
})
