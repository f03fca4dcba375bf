import { capability, command, query } from '../../platform/capability.ts'
import { addReportNote, reportMessage, updateMessageReport } from './actions.ts'
import * as contract from './contract.ts'
import { deleteExpiredReports } from './jobs.ts'
import { getMessageReport, getMessageReports } from './queries.ts'
import { isReportEventWanted } from './rules.ts'
import { exportedTables, migrations } from './tables.ts'

export const reports = capability({
  name: 'reports',
  tables: ['message_reports', 'message_report_entries'],
  reads: ['organization_settings'],
  migrations,
  exportedTables,
  limits: [contract.REPORT_ENTRY_LIMIT],
  routes: [
    command(contract.reportMessage, reportMessage),
    query(contract.getMessageReports, getMessageReports),
    query(contract.getMessageReport, getMessageReport),
    command(contract.updateMessageReport, updateMessageReport),
    command(contract.addReportNote, addReportNote),
  ],
  // The actions write the audit log, because a report itself is no administrative change.
  events: [{ event: contract.messageReportUpdated, administration: false, isWanted: isReportEventWanted }],
  jobs: [deleteExpiredReports],
})
