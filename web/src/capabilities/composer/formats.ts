export type FormatName = 'bold' | 'italic' | 'strike' | 'code' | 'link' | 'quote' | 'list'

export const FORMAT_KEYS: Readonly<Record<string, FormatName>> = {
  'Ctrl+b': 'bold',
  'Ctrl+i': 'italic',
  'Ctrl+e': 'code',
  'Ctrl+Shift+k': 'link',
  'Ctrl+Shift+x': 'strike',
}

export function isAddress(text: string): boolean {
  return /^https?:\/\/\S{1,2000}$/.test(text)
}
