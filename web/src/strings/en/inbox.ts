import { count } from './numbers.ts'

export const inbox = {
  empty: 'You have read everything',
  emptyMore: 'What is new will be here.',
  markRead: 'Mark as read',
  mute: 'Mute',
  markedRead: (number: number) => `${count(number, 'message', 'messages')} marked as read`,
  muted: (name: string) => `${name} is muted`,
}
