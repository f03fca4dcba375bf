import { count } from './numbers.ts'

export const move = {
  title: 'Move messages',
  what: 'Which messages',
  one: 'Only this message',
  later: 'This message and those after it',
  all: 'All messages of the topic',
  channel: 'Channel',
  topic: 'Topic',
  move: 'Move',
  moved: (number: number, topic: string) =>
    number === 0 ? `Moved to ${topic}` : `${count(number, 'message', 'messages')} moved to ${topic}`,
}
