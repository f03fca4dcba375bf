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
  noDescription: 'Nothing is said about it.',
}
