import type { Strings } from '../en/index.ts'

export const palette: Strings['palette'] = {
  label: 'Zu einer Unterhaltung gehen oder etwas tun',
  placeholder: 'Unterhaltung, Person oder Befehl',
  empty: 'Nichts passt.',
}
