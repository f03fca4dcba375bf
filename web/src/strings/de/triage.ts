import type { Strings } from '../en/index.ts'
import { count } from './numbers.ts'

export const triage: Strings['triage'] = {
  open: 'Ungelesenes durchsehen',
  done: 'Erledigt',
  later: 'Später',
  mute: 'Stumm',
  skip: 'Weiter',
  back: 'Zurück',
  leave: 'Verlassen',
  actions: 'Was mit dieser Unterhaltung geschieht',
  left: (number) => (number === 0 ? 'Die letzte' : `noch ${number.toLocaleString('de')}`),
  progress: 'Wie weit du bist',
  title: 'Das war alles',
  summary: (messages, conversations, minutes) =>
    `Du hast ${count(messages, 'Nachricht', 'Nachrichten')} in ${count(conversations, 'Unterhaltung', 'Unterhaltungen')} durchgesehen, in ${minutes < 1 ? 'weniger als einer Minute' : count(minutes, 'Minute', 'Minuten')}.`,
  nothing: 'Es gibt nichts durchzusehen',
  undoAll: 'Alles rückgängig machen',
  undoing: 'Wird rückgängig gemacht …',
  undone: 'Alles ist wieder wie vorher.',
  undoneNotAll: (number) => `${count(number, 'Aktion ließ', 'Aktionen ließen')} sich nicht rückgängig machen.`,
  toInbox: 'Zum Eingang',
}
