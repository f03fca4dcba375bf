import type { MarkdownIt, StateBlock } from 'markdown-it'
import { containerAt, parseContent } from '../fenced-container.ts'

/** Adds ```` ```quote ```` blocks, besides `>` before each line. */
export function quotes(md: MarkdownIt): void {
  md.block.ruler.before('fence', 'fenced_quote', fencedQuote, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  })
}

function fencedQuote(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const quote = containerAt(state, startLine, endLine)
  if (quote?.kind !== 'quote') return false
  if (silent) return true
  state.push('blockquote_open', 'blockquote', 1)
  parseContent(state, startLine, quote)
  state.push('blockquote_close', 'blockquote', -1)
  return true
}
