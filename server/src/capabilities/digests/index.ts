import { capability } from '../../platform/capability.ts'
import { beginDigests, writeDigests } from './jobs.ts'
import { migrations } from './tables.ts'

/** Weekly emails about popular topics for people who were away. */
export const digests = capability({
  name: 'digests',
  tables: ['digest_weeks', 'digest_readers'],
  reads: ['organization_settings', 'user_activity', 'topics', 'messages', 'user_topics', 'muted_users'],
  migrations,
  jobs: [beginDigests, writeDigests],
})
