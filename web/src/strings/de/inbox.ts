import type { Strings } from '../en/index.ts'
import { count } from './numbers.ts'

export const inbox: Strings['inbox'] = {
  empty: 'Du hast alles gelesen',
  emptyMore: 'Was neu ist, steht dann hier.',
  quiet: 'Genieß die Ruhe.',
  waiting: (messages, conversations) =>
    `${count(messages, 'ungelesene Nachricht', 'ungelesene Nachrichten')} in ${count(conversations, 'Unterhaltung', 'Unterhaltungen')}`,
  remind: 'Erinnern',
  markRead: 'Als gelesen markieren',
  mute: 'Stumm schalten',
  markedRead: (number) => `${count(number, 'Nachricht', 'Nachrichten')} als gelesen markiert`,
  muted: (name) => `${name} ist stumm`,
  unmuted: (name) => `${name} ist nicht mehr stumm`,
  followed: (name) => `Du folgst ${name}`,
  unfollowed: (name) => `Du folgst ${name} nicht mehr`,
  markedUnread: (number) => `${count(number, 'Nachricht', 'Nachrichten')} als ungelesen markiert`,
  markedNothing: 'Es gab nichts zu markieren.',
  notJoined: 'Nachrichten eines Kanals, dem du nicht beigetreten bist, können nicht ungelesen sein.',
}
