import type { Strings } from '../../kernel/strings.ts'

export const move: Strings['move'] = {
  title: 'Nachrichten verschieben',
  what: 'Welche Nachrichten',
  one: 'Nur diese Nachricht',
  later: 'Diese Nachricht und die danach',
  all: 'Alle Nachrichten des Themas',
  channel: 'Kanal',
  topic: 'Thema',
  move: 'Verschieben',
  moved: 'Verschoben',
}
