import type { Strings } from '../../kernel/strings.ts'
import { count } from './numbers.ts'

export const inbox: Strings['inbox'] = {
  empty: 'Du hast alles gelesen',
  emptyMore: 'Was neu ist, steht dann hier.',
  markRead: 'Als gelesen markieren',
  mute: 'Stumm schalten',
  markedRead: (number) => `${count(number, 'Nachricht', 'Nachrichten')} als gelesen markiert`,
  muted: (name) => `${name} ist stumm`,
}
