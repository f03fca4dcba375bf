import type { Strings } from '../en/index.ts'

export const snippets: Strings['snippets'] = {
  title: 'Textbausteine',
  find: 'Textbaustein finden',
  create: 'Neuer Textbaustein',
  change: 'Textbaustein ändern',
  none: 'Hier kannst du Texte sichern, die du oft schreibst.',
  name: 'Name',
  text: 'Text',
  save: 'Sichern',
  deleted: (title) => `Der Textbaustein „${title}“ wurde gelöscht`,
}
