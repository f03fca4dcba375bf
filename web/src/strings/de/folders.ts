import type { Strings } from '../en/index.ts'
import { count } from './numbers.ts'

export const folders: Strings['folders'] = {
  title: 'Kanalordner',
  create: 'Ordner erstellen',
  edit: 'Ordner bearbeiten',
  editOf: (name) => `${name} bearbeiten`,
  save: 'Speichern',
  archiveOf: (name) => `${name} archivieren`,
  wasArchived: (name) => `Ordner ${name} archiviert`,
  notEmpty: (name) => `Entferne alle Kanäle aus ${name}, um den Ordner zu archivieren.`,
  archived: 'Archiviert',
  restore: 'Wiederherstellen',
  restoreOf: (name) => `${name} wiederherstellen`,
  empty: 'Noch keine Ordner',
  emptyMore: 'Ordner gruppieren Kanäle in der Seitenleiste für alle.',
  channels: (number) => count(number, 'Kanal', 'Kanäle'),
  put: 'In Ordner verschieben',
  isIn: (channel, folder) => `${channel} in ${folder} verschoben`,
  isInNone: (channel) => `${channel} aus dem Ordner entfernt`,
}
