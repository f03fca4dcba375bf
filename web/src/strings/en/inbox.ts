import { count } from './numbers.ts'

export const inbox = {
  empty: 'You have read everything',
  emptyMore: 'What is new will be here.',
  quiet: 'Enjoy the quiet.',
  waiting: (messages: number, conversations: number) =>
    `${count(messages, 'unread message', 'unread messages')} in ${count(conversations, 'conversation', 'conversations')}`,
  remind: 'Remind me',
  markRead: 'Mark as read',
  mute: 'Mute',
  markedRead: (number: number) => `${count(number, 'message', 'messages')} marked as read`,
  muted: (name: string) => `${name} is muted`,
  unmuted: (name: string) => `${name} is no longer muted`,
  followed: (name: string) => `You follow ${name}`,
  unfollowed: (name: string) => `You no longer follow ${name}`,
  markedUnread: (number: number) => `${count(number, 'message', 'messages')} marked as unread`,
  markedNothing: 'Nothing had to be marked.',
  notJoined: 'Messages of a channel that you have not joined cannot be unread.',
}
