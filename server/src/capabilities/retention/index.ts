import { capability } from '../../platform/capability.ts'
import { deleteExpiredMessages } from './jobs.ts'

export const retention = capability({
  name: 'retention',
  tables: [],
  reads: ['channels', 'conversations', 'messages', 'organization_settings', 'topics'],
  jobs: [deleteExpiredMessages],
})
