import { capability, command, query } from '../../platform/capability.ts'
import { removeStoredFiles, removeUnusedFiles } from '../../platform/files/pending.ts'
import { removeAttachment, storeFile, uploadFile } from './actions.ts'
import * as contract from './contract.ts'
import { indexFileTexts, removeForgottenUploads } from './jobs.ts'
import {
  fileAtPath,
  fileAtTemporaryUrl,
  getAttachments,
  getFileTemporaryUrl,
  thumbnailAtPath,
  thumbnailFormatsSnapshot,
} from './queries.ts'
import { exportedTables, migrations } from './tables.ts'

export const uploads = capability({
  name: 'uploads',
  tables: ['upload_spaces', 'attachments', 'attachment_messages', 'attachment_texts'],
  reads: ['conversations', 'held_messages', 'messages', 'organization_settings', 'scheduled_messages'],
  migrations,
  exportedTables,
  omitted: { upload_spaces: null, attachment_texts: null },
  routes: [
    command(contract.uploadFile, uploadFile, { prepare: storeFile, undo: removeStoredFiles }),
    query(contract.getFileTemporaryUrl, getFileTemporaryUrl),
    query(contract.getAttachments, getAttachments),
    command(contract.removeAttachment, removeAttachment, { finish: removeUnusedFiles }),
  ],
  files: [
    { path: '/user_uploads/temporary/:token/:name', login: 'none', find: fileAtTemporaryUrl },
    {
      path: '/user_uploads/thumbnail/:realm_id(^\\d+$)/*',
      login: 'required',
      forTokens: 'reading',
      forSpectators: true,
      find: thumbnailAtPath,
    },
    {
      path: '/user_uploads/:realm_id(^\\d+$)/*',
      login: 'required',
      forTokens: 'reading',
      forSpectators: true,
      find: fileAtPath,
    },
  ],
  events: [
    { event: contract.attachmentAdded, administration: false },
    { event: contract.attachmentUpdated, administration: false },
    { event: contract.attachmentRemoved, administration: false },
  ],
  jobs: [removeForgottenUploads, indexFileTexts],
  snapshot: [{ eventTypes: ['realm'], observe: thumbnailFormatsSnapshot, spectatorFields: thumbnailFormatsSnapshot }],
})
