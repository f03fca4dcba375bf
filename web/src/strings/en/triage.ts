import { count } from './numbers.ts'

export const triage = {
  open: 'Triage unread',
  done: 'Done',
  later: 'Later',
  mute: 'Mute',
  skip: 'Skip',
  back: 'Back',
  leave: 'Exit',
  actions: 'Conversation actions',
  left: (number: number) => (number === 0 ? 'Last one' : `${number.toLocaleString('en')} more`),
  progress: 'Progress',
  title: 'All done',
  summary: (messages: number, conversations: number, minutes: number) =>
    `You triaged ${count(messages, 'message', 'messages')} in ${count(conversations, 'conversation', 'conversations')} in ${minutes < 1 ? 'less than a minute' : count(minutes, 'minute', 'minutes')}.`,
  nothing: 'Nothing to triage',
  undoAll: 'Undo all',
  undoing: 'Undoing…',
  undone: 'Everything was undone.',
  undoneNotAll: (number: number) => `Couldn’t undo ${count(number, 'action', 'actions')}.`,
  toInbox: 'Go to inbox',
}
