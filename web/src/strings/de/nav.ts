import type { Strings } from '../en/index.ts'
import { count } from './numbers.ts'

export const nav: Strings['nav'] = {
  label: 'Unterhaltungen',
  views: 'Ansichten',
  inbox: 'Eingang',
  recent: 'Zuletzt',
  feed: 'Alle Nachrichten',
  mentions: 'Erwähnungen',
  starred: 'Markiert',
  writing: 'Entwürfe',
  channels: 'Kanäle',
  directs: 'Direktnachrichten',
  pinned: 'Angeheftet',
  settings: 'Einstellungen',
  menu: 'Menü',
  filter: 'Unterhaltungen filtern',
  noMatch: 'So heißt nichts.',
  browse: 'Alle Kanäle',
  unread: (number) => count(number, 'ungelesene Nachricht', 'ungelesene Nachrichten'),
  mentionCount: (number) => count(number, 'Erwähnung', 'Erwähnungen'),
  muted: 'stumm',
  expand: (name) => `Themen von ${name} zeigen`,
}
