import type { Strings } from '../en/index.ts'

export const writing: Strings['writing'] = {
  empty: 'Nichts wartet darauf, gesendet zu werden',
  delete: 'Löschen',
  deleted: 'Der Entwurf ist gelöscht',
  drafts: 'Entwürfe',
  scheduled: 'Wird gesendet',
  reminders: 'Erinnerungen',
  failed: 'Konnte nicht gesendet werden',
  outbox: 'Noch nicht gesendet',
  old: 'Frühere Fassungen',
  restore: 'Wiederherstellen',
}
