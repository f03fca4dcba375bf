import { count } from './numbers.ts'

export const panel = {
  label: 'Details',
  people: 'People',
  findPerson: 'Find a person',
  toggle: 'Show or hide the details',
  facts: 'What happened to it',
  resolvedBy: (name: string) => (name === '' ? 'Marked as resolved' : `Marked as resolved by ${name}`),
  movedFrom: (topic: string, channel: string) => `Moved from ${topic} in ${channel}`,
  participants: 'Who takes part',
  nobody: 'Nobody has written here yet.',
  files: 'Files',
  noFiles: 'No message links a file.',
  olderFiles: 'Show older files',
  number: (number: number) => number.toLocaleString('en'),
  atLeast: (number: number) => `at least ${number.toLocaleString('en')}`,
  peopleLeftOut: (number: number) => `${count(number, 'person', 'people')} whom you muted left out`,
  filesLeftOut: (number: number) => `${count(number, 'file', 'files')} of people whom you muted left out`,
  noDescription: 'Nothing is said about it.',
}
