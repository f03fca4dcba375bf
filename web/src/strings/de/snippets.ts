import type { Strings } from '../en/index.ts'

export const snippets: Strings['snippets'] = {
  title: 'Textbausteine',
  find: 'Textbaustein suchen',
  create: 'Textbaustein erstellen',
  change: 'Textbaustein bearbeiten',
  none: 'Speichere hier Texte, die du oft verwendest.',
  name: 'Name',
  text: 'Text',
  save: 'Speichern',
  deleted: (title) => `Textbaustein „${title}“ gelöscht`,
}
