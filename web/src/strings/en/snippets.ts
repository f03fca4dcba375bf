export const snippets = {
  title: 'Saved snippets',
  find: 'Find a snippet',
  create: 'Create snippet',
  change: 'Edit snippet',
  none: 'Save text you use often.',
  name: 'Name',
  text: 'Text',
  save: 'Save',
  deleted: (title: string) => `Snippet “${title}” deleted`,
}
