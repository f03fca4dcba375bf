import { count } from './numbers.ts'

export const triage = {
  open: 'Go through what is unread',
  done: 'Done',
  later: 'Later',
  mute: 'Mute',
  skip: 'Skip',
  back: 'Back',
  leave: 'Leave',
  actions: 'What to do with this conversation',
  left: (number: number) => (number === 0 ? 'The last one' : `${number.toLocaleString('en')} more`),
  progress: 'How far you are',
  title: 'That was all',
  summary: (messages: number, conversations: number, minutes: number) =>
    `You went through ${count(messages, 'message', 'messages')} in ${count(conversations, 'conversation', 'conversations')}. It took ${minutes < 1 ? 'less than a minute' : count(minutes, 'minute', 'minutes')}.`,
  nothing: 'There is nothing to go through',
  undoAll: 'Undo all',
  undoing: 'Undoing …',
  undone: 'Everything is as it was before.',
  undoneNotAll: (number: number) => `${count(number, 'action', 'actions')} could not be undone.`,
  toInbox: 'To the inbox',
}
