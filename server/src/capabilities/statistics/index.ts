import { capability, query } from '../../platform/capability.ts'
import * as contract from './contract.ts'
import { countMessages } from './jobs.ts'
import { getStatistics } from './queries.ts'
import { exportedTables, migrations } from './tables.ts'

export const statistics = capability({
  name: 'statistics',
  tables: ['daily_totals', 'daily_channels', 'last_written_days', 'counted_messages'],
  reads: ['messages', 'users', 'organizations', 'organization_settings'],
  migrations,
  exportedTables,
  limits: [contract.STATISTICS_LIMIT],
  routes: [query(contract.getStatistics, getStatistics)],
  jobs: [countMessages],
})
