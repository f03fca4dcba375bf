import type { Strings } from '../en/index.ts'
import { count } from './numbers.ts'

export const folders: Strings['folders'] = {
  title: 'Kanalordner',
  create: 'Neuer Ordner',
  edit: 'Ordner bearbeiten',
  editOf: (name) => `${name} bearbeiten`,
  save: 'Speichern',
  archiveOf: (name) => `${name} archivieren`,
  wasArchived: (name) => `Der Ordner ${name} ist archiviert`,
  notEmpty: (name) => `${name} wird erst archiviert, wenn kein Kanal mehr darin ist.`,
  archived: 'Archiviert',
  restore: 'Wiederherstellen',
  restoreOf: (name) => `${name} wiederherstellen`,
  empty: 'Noch keine Ordner',
  emptyMore: 'Ordner gliedern die Kanäle in der Seitenleiste aller.',
  channels: (number) => count(number, 'Kanal', 'Kanäle'),
  put: 'In einen Ordner legen',
  isIn: (channel, folder) => `${channel} ist jetzt im Ordner ${folder}`,
  isInNone: (channel) => `${channel} ist jetzt in keinem Ordner`,
}
