import type { Strings } from '../en/index.ts'
import { count } from './numbers.ts'

export const move: Strings['move'] = {
  title: 'Nachrichten verschieben',
  what: 'Zu verschiebende Nachrichten',
  one: 'Nur diese Nachricht',
  later: 'Diese und alle späteren Nachrichten',
  all: 'Alle Nachrichten des Themas',
  channel: 'Kanal',
  topic: 'Thema',
  preview: 'Vorschau',
  more: (number) => `und ${count(number, 'weitere Nachricht', 'weitere Nachrichten')}`,
  joins: 'Dieses Thema enthält schon Nachrichten. Die verschobenen werden nach Zeit einsortiert.',
  tellOld: 'Im alten Thema darauf hinweisen',
  tellNew: 'Im neuen Thema darauf hinweisen',
  noticeStays: 'Der Hinweis auf das Verschieben konnte nicht gelöscht werden',
  move: 'Verschieben',
  moved: (number, topic) =>
    number === 0 ? `Nach ${topic} verschoben` : `${count(number, 'Nachricht', 'Nachrichten')} nach ${topic} verschoben`,
}
