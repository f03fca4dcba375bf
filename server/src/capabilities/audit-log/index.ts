import { capability, query } from '../../platform/capability.ts'
import * as contract from './contract.ts'
import { pruneAuditLog } from './jobs.ts'
import { getAuditLog } from './queries.ts'
import { exportedTables, migrations } from './tables.ts'

export const auditLog = capability({
  name: 'audit-log',
  tables: ['audit_log'],
  reads: ['organizations', 'organization_settings'],
  migrations,
  exportedTables,
  limits: [contract.AUDIT_LIMIT, contract.TOOL_USE_LIMIT, contract.PIN_CHANGE_LIMIT],
  routes: [query(contract.getAuditLog, getAuditLog)],
  jobs: [pruneAuditLog],
})
