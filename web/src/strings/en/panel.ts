import { count } from './numbers.ts'

export const panel = {
  label: 'Details',
  people: 'People',
  findPerson: 'Find a person',
  toggle: 'Show or hide details',
  facts: 'History',
  resolvedBy: (name: string) => (name === '' ? 'Marked as resolved' : `Marked as resolved by ${name}`),
  movedFrom: (topic: string, channel: string) => `Moved from ${topic} in ${channel}`,
  participants: 'Participants',
  nobody: 'No one has written here yet.',
  files: 'Files',
  noFiles: 'No files yet',
  olderFiles: 'Show older files',
  number: (number: number) => number.toLocaleString('en'),
  atLeast: (number: number) => `at least ${number.toLocaleString('en')}`,
  peopleLeftOut: (number: number) => `${count(number, 'person', 'people')} you muted not shown`,
  filesLeftOut: (number: number) => `${count(number, 'file', 'files')} from people you muted not shown`,
  noDescription: 'No description',
}
