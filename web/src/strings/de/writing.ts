import type { Strings } from '../en/index.ts'

export const writing: Strings['writing'] = {
  empty: 'Nichts wartet darauf, gesendet zu werden',
  emptyMore: 'Was du zu schreiben beginnst, bleibt hier, bis du es sendest.',
  delete: 'Löschen',
  deleted: 'Der Entwurf ist gelöscht',
  deletedOld: 'Die frühere Fassung ist gelöscht',
  canceled: 'Die Nachricht wird nicht gesendet',
  hereOnly: 'Nur in diesem Browser',
  nowhere: 'Noch niemand',
  continue: 'Weiterschreiben',
  drafts: 'Entwürfe',
  scheduled: 'Geplant',
  failed: 'Konnte nicht gesendet werden',
  outbox: 'Noch nicht gesendet',
  old: 'Frühere Fassungen',
  restore: 'Wiederherstellen',
}
