export const snippets = {
  title: 'Saved snippets',
  find: 'Find a snippet',
  create: 'New snippet',
  change: 'Change the snippet',
  none: 'Texts that you write often can be saved here.',
  name: 'Name',
  text: 'Text',
  save: 'Save',
  deleted: (title: string) => `The snippet “${title}” was deleted`,
}
