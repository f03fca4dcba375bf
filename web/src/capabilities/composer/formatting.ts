/** A change of a text: what stands in place of a part, and what of it is selected then. */
export interface Change {
  readonly from: number
  readonly to: number
  readonly text: string
  /** From the beginning of the new part. */
  readonly selected: [start: number, end: number]
}

/** How a selected part of a text is formatted. */
export type Format = (text: string, from: number, to: number) => Change

export const FORMATS = {
  bold: around('**'),
  italic: around('*'),
  strike: around('~~'),
  code,
  link,
  quote: before('> '),
  list: before('* '),
} as const satisfies Record<string, Format>

export type FormatName = keyof typeof FORMATS

/** Puts a mark around the part, or takes away the one that is around it. */
function around(mark: string): Format {
  const { length } = mark
  return (text, from, to) => {
    const part = text.slice(from, to)
    const isMarked = text.slice(from - length, from) === mark && text.slice(to, to + length) === mark
    // One star of a bold part is not a mark of its own.
    const isLonger = mark === '*' && text.slice(from - 2, from) === '**' && text.slice(from - 3, from) !== '***'
    if (isMarked && !isLonger) return { from: from - length, to: to + length, text: part, selected: [0, part.length] }
    return { from, to, text: mark + part + mark, selected: [length, length + part.length] }
  }
}

/** A block for several lines, and marks within a line for less. */
function code(text: string, from: number, to: number): Change {
  const part = text.slice(from, to)
  if (!part.includes('\n')) return around('`')(text, from, to)
  const opening = `${from === 0 || text[from - 1] === '\n' ? '' : '\n'}\`\`\`\n`
  const closing = `${part.endsWith('\n') ? '' : '\n'}\`\`\`\n`
  return { from, to, text: opening + part + closing, selected: [opening.length, opening.length + part.length] }
}

/** The part becomes the text of a link whose address is to be typed, or the address of one whose text is. */
function link(text: string, from: number, to: number): Change {
  const part = text.slice(from, to)
  if (isAddress(part)) return { from, to, text: `[](${part})`, selected: [1, 1] }
  const start = part.length + 3
  return { from, to, text: `[${part}]()`, selected: [start, start] }
}

/** A selected part as the text of a link to an address. */
export function linked(part: string, address: string): string {
  return `[${part.replaceAll(/[[\]]/g, '')}](${address})`
}

/** Whether a text is the address of a page and nothing else. */
export function isAddress(text: string): boolean {
  return /^https?:\/\/\S{1,2000}$/.test(text)
}

/** Puts a mark before each line of the part, or takes it away where all have it. */
function before(mark: string): Format {
  return (text, from, to) => {
    const start = text.lastIndexOf('\n', from - 1) + 1
    const next = text.indexOf('\n', to)
    const end = next === -1 ? text.length : next
    const lines = text.slice(start, end).split('\n')
    const areMarked = lines.every((line) => line.startsWith(mark))
    const changed = lines.map((line) => (areMarked ? line.slice(mark.length) : mark + line)).join('\n')
    return { from: start, to: end, text: changed, selected: [from === to ? changed.length : 0, changed.length] }
  }
}

/** The keys of those that have one. */
export const FORMAT_KEYS: Readonly<Record<string, FormatName>> = {
  'Ctrl+b': 'bold',
  'Ctrl+i': 'italic',
  'Ctrl+e': 'code',
  'Ctrl+Shift+k': 'link',
  'Ctrl+Shift+x': 'strike',
}
