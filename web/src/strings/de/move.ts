import type { Strings } from '../en/index.ts'
import { count } from './numbers.ts'

export const move: Strings['move'] = {
  title: 'Nachrichten verschieben',
  what: 'Welche Nachrichten',
  one: 'Nur diese Nachricht',
  later: 'Diese Nachricht und die danach',
  all: 'Alle Nachrichten des Themas',
  channel: 'Kanal',
  topic: 'Thema',
  preview: 'Nachrichten, die verschoben werden',
  more: (number) => `und ${count(number, 'andere Nachricht', 'andere Nachrichten')}`,
  joins: 'Dieses Thema hat schon Nachrichten; die verschobenen kommen dazwischen.',
  tellOld: 'Im alten Thema darauf hinweisen',
  tellNew: 'Im neuen Thema darauf hinweisen',
  noticeStays: 'Der Hinweis auf das Verschieben konnte nicht gelöscht werden und bleibt.',
  move: 'Verschieben',
  moved: (number, topic) =>
    number === 0 ? `Nach ${topic} verschoben` : `${count(number, 'Nachricht', 'Nachrichten')} nach ${topic} verschoben`,
}
