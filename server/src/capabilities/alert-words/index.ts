import { capability, command, query } from '../../platform/capability.ts'
import { addAlertWords, removeAlertWords } from './actions.ts'
import * as contract from './contract.ts'
import { alertWordsProjection, alertWordsSnapshot, getAlertWords } from './queries.ts'
import { exportedTables, migrations } from './tables.ts'

export const alertWords = capability({
  name: 'alert-words',
  tables: ['alert_words'],
  migrations,
  exportedTables,
  limits: [contract.ALERT_WORD_LIMIT],
  projections: [alertWordsProjection],
  routes: [
    query(contract.getAlertWords, getAlertWords),
    command(contract.addAlertWords, addAlertWords),
    command(contract.removeAlertWords, removeAlertWords),
  ],
  events: [{ event: contract.alertWordsChanged, administration: false }],
  snapshot: [{ eventTypes: ['alert_words'], observe: alertWordsSnapshot }],
})
