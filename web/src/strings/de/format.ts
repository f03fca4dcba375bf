import type { Strings } from '../en/index.ts'

export const format: Strings['format'] = {
  label: 'Formatierung',
  bold: 'Fett',
  italic: 'Kursiv',
  strike: 'Durchgestrichen',
  link: 'Link',
  code: 'Code',
  quote: 'Zitat',
  list: 'Liste',
}
