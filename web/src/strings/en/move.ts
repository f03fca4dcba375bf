import { count } from './numbers.ts'

export const move = {
  title: 'Move messages',
  what: 'Messages to move',
  one: 'Only this message',
  later: 'This message and all later ones',
  all: 'All messages in the topic',
  channel: 'Channel',
  topic: 'Topic',
  preview: 'Preview',
  more: (number: number) => `and ${count(number, 'more message', 'more messages')}`,
  joins: 'This topic already has messages. All its messages will be sorted by time.',
  tellOld: 'Notify the old topic',
  tellNew: 'Notify the new topic',
  noticeStays: 'Couldn’t delete the notice about the move',
  move: 'Move',
  moved: (number: number, topic: string) =>
    number === 0 ? `Moved to ${topic}` : `${count(number, 'message', 'messages')} moved to ${topic}`,
}
