import { capability, command, direct, query, replicaQuery } from '../../platform/capability.ts'
import { deleteMessage, deleteTopic } from './actions/delete.ts'
import { updateMessage } from './actions/edit.ts'
import * as contract from './contract.ts'
import {
  isMessageUpdateWanted,
  messagesDeletedToClient,
  messageUpdatedPerUserFields,
  messageUpdatedToClient,
} from './queries/events.ts'
import { getMessageHistory } from './queries/past.ts'
import { getReadReceipts } from './queries/index.ts'
import { exportedTables, migrations } from './tables.ts'

export const messageEdits = capability({
  name: 'message-edits',
  tables: ['message_edits', 'topic_moves'],
  reads: ['messages', 'topics'],
  migrations,
  exportedTables,
  routes: [
    direct(contract.updateMessage, updateMessage),
    command(contract.deleteMessage, deleteMessage),
    direct(contract.deleteTopic, deleteTopic),
    replicaQuery(contract.getMessageHistory, getMessageHistory),
    query(contract.getReadReceipts, getReadReceipts),
  ],
  events: [
    {
      event: contract.messageUpdated,
      administration: false,
      isWanted: isMessageUpdateWanted,
      toClient: messageUpdatedToClient,
      perUserFields: messageUpdatedPerUserFields,
    },
    { event: contract.messagesDeleted, administration: false, toClient: messagesDeletedToClient },
  ],
})
