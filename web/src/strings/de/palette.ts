import type { Strings } from '../en/index.ts'

export const palette: Strings['palette'] = {
  label: 'Zu einer Unterhaltung gehen oder einen Befehl ausführen',
  placeholder: 'Unterhaltung, Person oder Befehl',
  hint: '> für Befehle, @ für Personen, # für Kanäle und Themen',
  notJoined: 'nicht beigetreten',
  empty: 'Keine Ergebnisse',
}
