import type { Strings } from '../en/index.ts'
import { count } from './numbers.ts'

export const inbox: Strings['inbox'] = {
  empty: 'Alles gelesen',
  emptyMore: 'Neue Nachrichten erscheinen hier.',
  quiet: 'Genieß die Ruhe.',
  waiting: (messages, conversations) =>
    `${count(messages, 'ungelesene Nachricht', 'ungelesene Nachrichten')} in ${count(conversations, 'Unterhaltung', 'Unterhaltungen')}`,
  remind: 'Erinnern',
  markRead: 'Als gelesen markieren',
  mute: 'Stumm schalten',
  markedRead: (number) => `${count(number, 'Nachricht', 'Nachrichten')} als gelesen markiert`,
  muted: (name) => `${name} stummgeschaltet`,
  unmuted: (name) => `Stummschaltung von ${name} aufgehoben`,
  followed: (name) => `Du folgst ${name}`,
  unfollowed: (name) => `Du folgst ${name} nicht mehr`,
  markedUnread: (number) => `${count(number, 'Nachricht', 'Nachrichten')} als ungelesen markiert`,
  markedNothing: 'Nichts zu markieren',
  notJoined: 'In Kanälen, denen du nicht beigetreten bist, lassen sich Nachrichten nicht als ungelesen markieren',
}
