export const move = {
  title: 'Move messages',
  what: 'Which messages',
  one: 'Only this message',
  later: 'This message and those after it',
  all: 'All messages of the topic',
  channel: 'Channel',
  topic: 'Topic',
  move: 'Move',
  moved: 'Moved',
}
