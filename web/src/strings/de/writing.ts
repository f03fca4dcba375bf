import type { Strings } from '../en/index.ts'

export const writing: Strings['writing'] = {
  empty: 'Keine Entwürfe oder geplanten Nachrichten',
  emptyMore: 'Angefangene Nachrichten bleiben hier gespeichert, bis du sie sendest.',
  delete: 'Löschen',
  deleted: 'Entwurf gelöscht',
  deletedOld: 'Frühere Version gelöscht',
  canceled: 'Geplante Nachricht abgebrochen',
  hereOnly: 'Nur in diesem Browser gespeichert',
  nowhere: 'Kein Empfänger',
  continue: 'Weiterschreiben',
  drafts: 'Entwürfe',
  scheduled: 'Geplant',
  failed: 'Senden fehlgeschlagen',
  outbox: 'Noch nicht gesendet',
  old: 'Frühere Versionen',
  restore: 'Wiederherstellen',
}
