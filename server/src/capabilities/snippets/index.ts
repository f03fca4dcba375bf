import { capability, command, query } from '../../platform/capability.ts'
import { createSavedSnippet, deleteSavedSnippet, updateSavedSnippet } from './actions.ts'
import * as contract from './contract.ts'
import { getSavedSnippets, snippetsSnapshot } from './queries.ts'
import { exportedTables, migrations } from './tables.ts'

export const snippets = capability({
  name: 'snippets',
  tables: ['saved_snippets'],
  migrations,
  exportedTables,
  limits: [contract.SNIPPET_LIMIT, contract.STORED_CHARACTER_LIMIT],
  routes: [
    query(contract.getSavedSnippets, getSavedSnippets),
    command(contract.createSavedSnippet, createSavedSnippet),
    command(contract.updateSavedSnippet, updateSavedSnippet),
    command(contract.deleteSavedSnippet, deleteSavedSnippet),
  ],
  events: [
    { event: contract.snippetAdded, administration: false },
    { event: contract.snippetUpdated, administration: false },
    { event: contract.snippetRemoved, administration: false },
  ],
  snapshot: [{ eventTypes: ['saved_snippets'], read: snippetsSnapshot }],
})
