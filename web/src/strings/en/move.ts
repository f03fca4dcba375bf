import { count } from './numbers.ts'

export const move = {
  title: 'Move messages',
  what: 'Which messages',
  one: 'Only this message',
  later: 'This message and those after it',
  all: 'All messages of the topic',
  channel: 'Channel',
  topic: 'Topic',
  preview: 'Messages that are moved',
  more: (number: number) => `and ${count(number, 'other message', 'other messages')}`,
  joins: 'This topic has messages already; the moved ones are put among them.',
  tellOld: 'Tell the topic that they leave',
  tellNew: 'Tell the topic to which they come',
  noticeStays: 'The notice about the move could not be deleted, so it stays.',
  move: 'Move',
  moved: (number: number, topic: string) =>
    number === 0 ? `Moved to ${topic}` : `${count(number, 'message', 'messages')} moved to ${topic}`,
}
