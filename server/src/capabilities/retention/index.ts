import { capability } from '../../platform/capability.ts'
import { deleteExpired } from './jobs.ts'

/** Retention: messages end when the organization or their channel keeps them no longer. */
export const retention = capability({
  name: 'retention',
  tables: [],
  reads: ['channels', 'conversations', 'messages', 'organization_settings', 'topics'],
  jobs: [deleteExpired],
})
