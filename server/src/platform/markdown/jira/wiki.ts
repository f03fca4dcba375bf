import { convertLine } from './inline.ts'
import { codeBlock, quoteMarkdown, markdownTable, type FindName } from './pieces.ts'

/** Matches the start or end of a macro. `code` and `noformat` contain no markup. */
const MACRO_PATTERN = /\{(code|noformat|quote|panel)(?::([^{}\n]*))?\}/g

/** Longer text does not fit into a message, and 2 MiB would take seconds. */
const MAX_WIKI_CHARACTERS = 20_000

export function jiraToMarkdown(text: string, nameOf: FindName = () => undefined): string {
  return convertBlocks(text.slice(0, MAX_WIKI_CHARACTERS).replaceAll('\r\n', '\n'), nameOf)
}

/** Converts macros. A macro cannot contain another of its kind, so nesting stays shallow. */
function convertBlocks(text: string, nameOf: FindName): string {
  const blocks: string[] = []
  let end = 0
  for (const { start, innerStart, innerEnd, after, kind, parameters } of findMacroBlocks(text)) {
    if (start < end) continue
    const inner = text.slice(innerStart, innerEnd)
    const title = /(?:^|\|)title=([^|]+)/.exec(parameters)?.[1] ?? ''
    const heading = title === '' ? '' : `**${convertLine(title.replaceAll('*', ''), nameOf).replaceAll('\n', ' ')}**`
    blocks.push(convertLines(text.slice(end, start), nameOf))
    if (kind === 'code' || kind === 'noformat') {
      const language = kind === 'code' ? parameters.split('|').find((one) => !one.includes('=')) : undefined
      blocks.push(heading, codeBlock(inner.replace(/^[ \t]*\n/, '').trimEnd(), language))
    } else {
      const content = [heading, convertBlocks(inner, nameOf)].filter((one) => one !== '').join('\n\n')
      blocks.push(content === '' ? '' : quoteMarkdown(content))
    }
    end = after
  }
  blocks.push(convertLines(text.slice(end), nameOf))
  return blocks.filter((block) => block !== '').join('\n\n')
}

interface MacroBlock {
  readonly kind: string
  readonly parameters: string
  readonly start: number
  readonly innerStart: number
  readonly innerEnd: number
  readonly after: number
}

/** Ends each macro at the next tag with the same name and no parameters. Ignores unclosed macros. */
function findMacroBlocks(text: string): MacroBlock[] {
  const found: MacroBlock[] = []
  const next = new Map<string, { readonly index: number; readonly after: number }>()
  for (const match of [...text.matchAll(MACRO_PATTERN)].toReversed()) {
    const [whole, kind = '', parameters] = match
    const after = match.index + whole.length
    const ending = next.get(kind)
    if (ending !== undefined) {
      const { index: innerEnd, after: behind } = ending
      found.push({ kind, parameters: parameters ?? '', start: match.index, innerStart: after, innerEnd, after: behind })
    }
    if (parameters === undefined) next.set(kind, { index: match.index, after })
  }
  return found.toReversed()
}

const MAX_DEPTH = 8

function convertLines(text: string, nameOf: FindName): string {
  const lines: string[] = []
  /** List markers of the items that can contain the next item. */
  let within: string[] = []
  const source = text.split('\n').map((line) => line.trim())
  for (let index = 0; index < source.length; index += 1) {
    const line = source[index] ?? ''
    const [, signs, item = ''] = /^(-|[*#]{1,10})[ \t](.*)$/.exec(line) ?? []
    const [, level, title = ''] = /^h([1-6])\.[ \t](.*)$/.exec(line) ?? []
    const quoted = /^bq\.[ \t](.*)$/.exec(line)?.[1]
    if (signs !== undefined) {
      within = within.slice(0, Math.min(signs.length, MAX_DEPTH) - 1)
      const sign = signs.endsWith('#') ? '1. ' : '* '
      const indent = within.map((outer) => ' '.repeat(outer.length)).join('')
      lines.push(
        `${indent}${sign}${convertLine(item, nameOf).replaceAll('\n', `\n${indent}${' '.repeat(sign.length)}`)}`,
      )
      within = [...within, sign]
      continue
    }
    if (line === '') within = []
    if (level !== undefined)
      lines.push('', `${'#'.repeat(Number(level))} ${convertLine(title, nameOf).replaceAll('\n', ' ')}`)
    else if (quoted !== undefined) lines.push('', quoteMarkdown(convertLine(quoted, nameOf)), '')
    else if (/^-{4,}$/.test(line)) lines.push('', '---', '')
    else if (isTableRow(line)) {
      const start = index
      while (isTableRow(source[index + 1] ?? '')) index += 1
      const rows = source.slice(start, index + 1).map((row) => convertCells(row, nameOf))
      lines.push('', markdownTable(rows, line.startsWith('||')), '')
    } else lines.push(convertLine(line, nameOf))
  }
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

function isTableRow(line: string): boolean {
  return line.length > 2 && line.startsWith('|') && line.endsWith('|')
}

const ESCAPED_PIPE_PLACEHOLDER = '\uFDD3'

function convertCells(row: string, nameOf: FindName): string[] {
  const inner = row
    .replaceAll(ESCAPED_PIPE_PLACEHOLDER, '')
    .replace(/^\|\|?|\|\|?$/g, '')
    .replace(/\[[^[\]\n]*\]|\\\|/g, (piece) => piece.replaceAll('|', ESCAPED_PIPE_PLACEHOLDER))
  return inner.split(/\|\|?/).map((cell) => convertLine(cell.replaceAll(ESCAPED_PIPE_PLACEHOLDER, '|'), nameOf))
}
