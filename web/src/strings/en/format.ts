export const format = {
  label: 'Formatting',
  bold: 'Bold',
  italic: 'Italic',
  strike: 'Strikethrough',
  link: 'Link',
  code: 'Code',
  quote: 'Quote',
  list: 'List',
}
