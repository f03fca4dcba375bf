import { capability } from '../../platform/capability.ts'
import { deleteExpired } from './jobs.ts'

/** Retention: deletes messages after the time set by the organization or their channel. */
export const retention = capability({
  name: 'retention',
  tables: [],
  reads: ['channels', 'conversations', 'messages', 'organization_settings', 'topics'],
  jobs: [deleteExpired],
})
