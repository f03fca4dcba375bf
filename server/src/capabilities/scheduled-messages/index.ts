import { capability, command, query } from '../../platform/capability.ts'
import {
  createScheduledMessage,
  deleteScheduledMessage,
  prepareScheduledMessage,
  prepareScheduledUpdate,
  updateScheduledMessage,
} from './actions.ts'
import * as contract from './contract.ts'
import { sendScheduledMessages } from './jobs.ts'
import {
  getScheduledMessages,
  scheduledMessagesAddedToClient,
  scheduledMessagesSnapshot,
  scheduledMessageUpdatedToClient,
} from './queries.ts'
import { exportedTables, migrations } from './tables.ts'

export const scheduledMessages = capability({
  name: 'scheduled-messages',
  tables: ['scheduled_messages'],
  reads: ['organization_settings', 'topics'],
  migrations,
  exportedTables,
  limits: [contract.SCHEDULED_MESSAGE_LIMIT, contract.STORED_CHARACTER_LIMIT],
  routes: [
    query(contract.getScheduledMessages, getScheduledMessages),
    command(contract.createScheduledMessage, createScheduledMessage, { prepare: prepareScheduledMessage }),
    command(contract.updateScheduledMessage, updateScheduledMessage, { prepare: prepareScheduledUpdate }),
    command(contract.deleteScheduledMessage, deleteScheduledMessage),
  ],
  events: [
    { event: contract.scheduledMessagesAdded, administration: false, toClient: scheduledMessagesAddedToClient },
    { event: contract.scheduledMessageUpdated, administration: false, toClient: scheduledMessageUpdatedToClient },
    { event: contract.scheduledMessageRemoved, administration: false },
  ],
  snapshot: [{ eventTypes: ['scheduled_messages'], read: scheduledMessagesSnapshot }],
  jobs: [sendScheduledMessages],
})
