import type { Strings } from '../en/index.ts'
import { count } from './numbers.ts'

export const triage: Strings['triage'] = {
  open: 'Ungelesenes durchsehen',
  done: 'Erledigt',
  later: 'Später',
  mute: 'Stumm schalten',
  skip: 'Überspringen',
  back: 'Zurück',
  leave: 'Beenden',
  actions: 'Aktionen für die Unterhaltung',
  left: (number) => (number === 0 ? 'Die letzte' : `Noch ${number.toLocaleString('de')}`),
  progress: 'Fortschritt',
  title: 'Alles erledigt',
  summary: (messages, conversations, minutes) =>
    `Du hast ${count(messages, 'Nachricht', 'Nachrichten')} in ${count(conversations, 'Unterhaltung', 'Unterhaltungen')} durchgesehen, in ${minutes < 1 ? 'weniger als einer Minute' : count(minutes, 'Minute', 'Minuten')}.`,
  nothing: 'Nichts durchzusehen',
  undoAll: 'Alles rückgängig machen',
  undoing: 'Wird rückgängig gemacht …',
  undone: 'Alles wurde rückgängig gemacht.',
  undoneNotAll: (number) => `${count(number, 'Aktion konnte', 'Aktionen konnten')} nicht rückgängig gemacht werden.`,
  toInbox: 'Zum Eingang',
}
