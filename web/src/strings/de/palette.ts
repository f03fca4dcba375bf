import type { Strings } from '../en/index.ts'

export const palette: Strings['palette'] = {
  label: 'Zu einer Unterhaltung gehen oder etwas tun',
  placeholder: 'Unterhaltung, Person oder Befehl',
  hint: '> für Befehle, @ für Personen, # für Kanäle und Themen',
  notJoined: 'nicht beigetreten',
  empty: 'Nichts passt.',
}
