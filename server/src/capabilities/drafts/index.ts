import { capability, command, query } from '../../platform/capability.ts'
import { createDrafts, deleteDraft, updateDraft } from './actions.ts'
import * as contract from './contract.ts'
import { draftsAddedToClient, draftsSnapshot, draftUpdatedToClient, getDrafts } from './queries.ts'
import { exportedTables, migrations } from './tables.ts'

export const drafts = capability({
  name: 'drafts',
  tables: ['drafts'],
  migrations,
  exportedTables,
  limits: [contract.DRAFT_LIMIT, contract.STORED_CHARACTER_LIMIT],
  routes: [
    query(contract.getDrafts, getDrafts),
    command(contract.createDrafts, createDrafts),
    command(contract.updateDraft, updateDraft),
    command(contract.deleteDraft, deleteDraft),
  ],
  events: [
    { event: contract.draftsAdded, administration: false, toClient: draftsAddedToClient },
    { event: contract.draftUpdated, administration: false, toClient: draftUpdatedToClient },
    { event: contract.draftRemoved, administration: false },
  ],
  snapshot: [{ eventTypes: ['drafts'], read: draftsSnapshot }],
})
