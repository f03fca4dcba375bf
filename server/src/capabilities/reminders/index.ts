import { capability, command, query } from '../../platform/capability.ts'
import { createReminder, deleteReminder, prepareReminder } from './actions.ts'
import * as contract from './contract.ts'
import { sendReminders } from './jobs.ts'
import { getReminders, remindersSnapshot } from './queries.ts'
import { exportedTables, migrations } from './tables.ts'

export const reminders = capability({
  name: 'reminders',
  tables: ['reminders'],
  reads: ['organization_settings'],
  migrations,
  exportedTables,
  limits: [contract.REMINDER_LIMIT, contract.STORED_CHARACTER_LIMIT],
  routes: [
    query(contract.getReminders, getReminders),
    command(contract.createReminder, createReminder, { prepare: prepareReminder }),
    command(contract.deleteReminder, deleteReminder),
  ],
  events: [
    { event: contract.remindersAdded, administration: false },
    { event: contract.reminderRemoved, administration: false },
  ],
  snapshot: [{ eventTypes: ['reminders'], read: remindersSnapshot }],
  jobs: [sendReminders],
})
