import { isAddress, type FormatName } from './formats.ts'

interface TextChange {
  readonly from: number
  readonly to: number
  readonly text: string
  readonly selected: [start: number, end: number]
}

type Format = (text: string, from: number, to: number) => TextChange

export const FORMATS = {
  bold: wrapWith('**'),
  italic: wrapWith('*'),
  strike: wrapWith('~~'),
  code: formatAsCode,
  link: formatAsLink,
  quote: prefixLines('> '),
  list: prefixLines('* '),
} as const satisfies Record<FormatName, Format>

function wrapWith(mark: string): Format {
  const { length } = mark
  return (text, from, to) => {
    const part = text.slice(from, to)
    const isMarked = text.slice(from - length, from) === mark && text.slice(to, to + length) === mark
    // A single asterisk of a bold mark (`**`) is not an italic mark.
    const isLonger = mark === '*' && text.slice(from - 2, from) === '**' && text.slice(from - 3, from) !== '***'
    if (isMarked && !isLonger) return { from: from - length, to: to + length, text: part, selected: [0, part.length] }
    return { from, to, text: mark + part + mark, selected: [length, length + part.length] }
  }
}

/** Turns several lines into a code block, and part of a line into inline code. */
function formatAsCode(text: string, from: number, to: number): TextChange {
  const part = text.slice(from, to)
  if (!part.includes('\n')) return wrapWith('`')(text, from, to)
  const opening = `${from === 0 || text[from - 1] === '\n' ? '' : '\n'}\`\`\`\n`
  const closing = `${part.endsWith('\n') ? '' : '\n'}\`\`\`\n`
  return { from, to, text: opening + part + closing, selected: [opening.length, opening.length + part.length] }
}

/** Turns a selected URL into a link's target, and other selected text into its label. */
function formatAsLink(text: string, from: number, to: number): TextChange {
  const part = text.slice(from, to)
  if (isAddress(part)) return { from, to, text: `[](${part})`, selected: [1, 1] }
  const start = part.length + 3
  return { from, to, text: `[${part}]()`, selected: [start, start] }
}

export function linkText(part: string, address: string): string {
  return `[${part.replaceAll(/[[\]]/g, '')}](${address})`
}

function prefixLines(mark: string): Format {
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
