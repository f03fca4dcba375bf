import { capability, command, query } from '../../platform/capability.ts'
import { removeUnusedFiles } from '../../platform/files/pending.ts'
import { createDataExport, deleteDataExport } from './actions.ts'
import * as contract from './contract.ts'
import { makeArchives } from './jobs.ts'
import { exportArchive, getDataExports, getExportConsents } from './queries/index.ts'
import { migrations } from './tables.ts'

export const dataExports = capability({
  name: 'data-exports',
  tables: ['data_exports'],
  reads: [
    'organization_settings',
    'messages',
    'topics',
    'conversations',
    'reactions',
    'submessages',
    'channel_pins',
    'channel_links',
    'attachments',
    'attachment_messages',
    'message_flags',
  ],
  migrations,
  omitted: { data_exports: 'data exports: their files stay on this server' },
  limits: [contract.EXPORT_LIMIT, contract.ARCHIVE_LIMIT, contract.PAST_EXPORT_LIMIT],
  routes: [
    query(contract.getDataExports, getDataExports),
    command(contract.createDataExport, createDataExport),
    command(contract.deleteDataExport, deleteDataExport, { finish: removeUnusedFiles }),
    query(contract.getExportConsents, getExportConsents),
  ],
  events: [{ event: contract.dataExportsChanged }, { event: contract.exportConsentChanged, administration: false }],
  jobs: [makeArchives],
  files: [{ path: '/exports/:name(^[\\w-]{24}$).tar.gz', login: 'required', find: exportArchive }],
})
