import { count } from './numbers.ts'

export const inbox = {
  empty: 'You’re all caught up',
  emptyMore: 'New messages will appear here.',
  quiet: 'Enjoy the quiet.',
  waiting: (messages: number, conversations: number) =>
    `${count(messages, 'unread message', 'unread messages')} in ${count(conversations, 'conversation', 'conversations')}`,
  remind: 'Remind me',
  markRead: 'Mark as read',
  mute: 'Mute',
  markedRead: (number: number) => `${count(number, 'message', 'messages')} marked as read`,
  muted: (name: string) => `${name} muted`,
  unmuted: (name: string) => `${name} unmuted`,
  followed: (name: string) => `${name} followed`,
  unfollowed: (name: string) => `${name} unfollowed`,
  markedUnread: (number: number) => `${count(number, 'message', 'messages')} marked as unread`,
  markedNothing: 'Nothing to mark',
  notJoined: 'You can’t mark messages as unread in channels you haven’t joined',
}
