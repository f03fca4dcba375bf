import { capability } from '../../platform/capability.ts'
import { startDigestWeeks, writeDigests } from './jobs.ts'
import { migrations } from './tables.ts'

export const digests = capability({
  name: 'digests',
  tables: ['digest_weeks', 'digest_readers'],
  reads: ['organization_settings', 'user_activity', 'topics', 'messages', 'user_topics', 'muted_users'],
  migrations,
  omitted: { digest_weeks: null, digest_readers: null },
  jobs: [startDigestWeeks, writeDigests],
})
