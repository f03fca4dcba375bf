/* Line breaks in Markdown: list items continue, and code blocks stay open. */

interface OpenFence {
  readonly fence: string
  /** Whether the block shows its text as typed. Quotes and spoilers also use fences, but contain ordinary text. */
  readonly isCode: boolean
}

const FENCE = /^[\s>]*(?:(?:[*+-]|\d{1,9}[.)]) +)?(`{3,}(?=[^`]*$)|~{3,})(.*)$/

/** Returns the blocks that are open at the end of the text, outermost first. */
export function openFencesIn(text: string): readonly OpenFence[] {
  const open: OpenFence[] = []
  for (const line of text.split('\n')) {
    const [, fence, info = ''] = FENCE.exec(line) ?? []
    if (fence === undefined) continue
    const { fence: last, isCode = false } = open.at(-1) ?? {}
    if (last !== undefined && info.trim() === '' && fence.startsWith(last)) open.pop()
    else if (!isCode) open.push({ fence, isCode: !/^\s*(quote|spoiler)\b/.test(info) })
  }
  return open
}

export function isInFence(text: string, caret: number): boolean {
  const before = text.slice(0, caret)
  return openFencesIn(before.slice(0, before.lastIndexOf('\n') + 1)).at(-1)?.isCode === true
}

interface Replacement {
  readonly from: number
  readonly to: number
  readonly text: string
}

const LIST_ITEM = /^([\s>]*)([*+-]|\d{1,9}[.)])( +)/

/** Indents the next line of code like the current line, or like the text of the list item that the code begins. */
function continueCode(text: string, from: number, to: number): Replacement | undefined {
  const before = text.slice(0, from)
  const line = before.slice(before.lastIndexOf('\n') + 1)
  const [, indent = '', sign = '', gap = ''] = LIST_ITEM.exec(isInFence(text, from) ? '' : line) ?? []
  const spaces = sign === '' ? (/^[\s>]*/.exec(line)?.[0] ?? '') : indent + ' '.repeat(sign.length + gap.length)
  return spaces === '' ? undefined : { from, to, text: `\n${spaces}` }
}

/** Finds the start of the list item whose last line ends a code block: the nearest item with the block's indentation. */
function itemEndingWithCode(text: string): RegExpExecArray | undefined {
  const lines = text.split('\n')
  const last = lines.pop() ?? ''
  const [, indent = ''] = /^([\s>]+)(?:`{3,}|~{3,})\s*$/.exec(last) ?? []
  if (indent === '') return undefined
  return lines
    .map((line) => LIST_ITEM.exec(line))
    .findLast((item): item is RegExpExecArray => item?.[0].length === indent.length)
}

/** Continues code, begins the next item of a list, or ends the list after an empty item. */
export function continueLine(text: string, from: number, to: number): Replacement | undefined {
  if (openFencesIn(text.slice(0, from)).at(-1)?.isCode === true) return continueCode(text, from, to)
  const start = text.slice(0, from).lastIndexOf('\n') + 1
  const item = isInFence(text, from) ? itemEndingWithCode(text.slice(0, from)) : LIST_ITEM.exec(text.slice(start, from))
  if (item === undefined || item === null) return undefined
  const [begin, indent = '', sign = '', gap = ''] = item
  const [line = ''] = text.slice(start).split('\n', 1)
  if (from === to && line.trimEnd() === begin.trimEnd()) return { from: start, to: start + line.length, text: '' }
  const next = /^\d/.test(sign) ? `${Number.parseInt(sign, 10) + 1}${sign.at(-1)}` : sign
  return { from, to, text: `\n${indent}${next}${gap}` }
}
