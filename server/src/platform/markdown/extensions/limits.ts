import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it'
import { spendBudget } from '../job.ts'
import { turnIntoText } from '../tokens.ts'

/** Nesting levels; a list takes two, a quotation one. */
export const MAX_BLOCK_LEVELS = 16
export const MAX_INLINE_LEVELS = 12
export const MAX_TABLE_CELLS_PER_MESSAGE = 4_000

export function limitsExtension(md: MarkdownIt): void {
  md.block.ruler.before('table', 'too_deep', showDeepBlockAsTyped)
  md.block.ruler.before('table', 'too_large_table', showLargeTableAsTyped)
  md.inline.ruler2.before('fragments_join', 'too_deep', flattenDeepEmphasis)
}

function showDeepBlockAsTyped(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (state.level < MAX_BLOCK_LEVELS) return false
  if (!silent) pushParagraph(state, startLine, lastLineOfText(state, startLine, endLine))
  return true
}

/** Shows a table as typed if padding its short rows would make it grow far beyond its source. */
function showLargeTableAsTyped(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (silent || startLine + 1 >= endLine) return false
  if (!lineText(state, startLine).includes('|') || !isTableDelimiterRow(lineText(state, startLine + 1))) return false
  const end = lastLineOfText(state, startLine, endLine)
  const columns = lineText(state, startLine).split('|').length + 1
  if (spendBudget(state.env, 'table cells', columns * (end - startLine), MAX_TABLE_CELLS_PER_MESSAGE)) return false
  pushParagraph(state, startLine, end)
  return true
}

function isTableDelimiterRow(line: string): boolean {
  return line.includes('-') && /^[-|: \t]+$/.test(line)
}

function lineText(state: StateBlock, line: number): string {
  return state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line])
}

function lastLineOfText(state: StateBlock, startLine: number, endLine: number): number {
  let line = startLine + 1
  while (line < endLine && !state.isEmpty(line) && (state.sCount[line] ?? 0) >= state.blkIndent) line++
  return line
}

function pushParagraph(state: StateBlock, startLine: number, endLine: number): void {
  state.push('paragraph_open', 'p', 1)
  const inline = state.push('inline', '', 0)
  inline.content = state.getLines(startLine, endLine, state.blkIndent, false).trim()
  inline.children = []
  state.push('paragraph_close', 'p', -1)
  state.line = endLine
}

function flattenDeepEmphasis(state: StateInline): void {
  let level = 0
  for (const token of state.tokens) {
    const { nesting } = token
    if (nesting < 0) level--
    if (nesting !== 0 && level >= MAX_INLINE_LEVELS && EMPHASIS_TAGS.has(token.tag)) turnIntoText(token, token.markup)
    if (nesting > 0) level++
  }
}

const EMPHASIS_TAGS = new Set(['em', 'strong', 's'])
