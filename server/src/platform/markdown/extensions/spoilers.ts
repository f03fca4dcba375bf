import type { MarkdownIt, StateBlock } from 'markdown-it'
import { containerAt, parseContent } from '../fenced-container.ts'

/** Adds ```` ```spoiler Title ````: shows the title, and the content on request. */
export function spoilers(md: MarkdownIt): void {
  md.block.ruler.before('fence', 'spoiler', spoiler, { alt: ['paragraph', 'reference', 'blockquote', 'list'] })
}

function spoiler(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const found = containerAt(state, startLine, endLine)
  if (found?.kind !== 'spoiler') return false
  if (silent) return true
  // Apps iterate over the block's child nodes, so there must be no line breaks between them.
  openTight(state, 'spoiler_open', [['class', 'spoiler-block']])
  state.push('spoiler_header_open', 'div', 1).attrs = [['class', 'spoiler-header']]
  if (found.title !== '') pushTitle(state, found.title)
  closeTight(state, 'spoiler_header_close')
  state.push('spoiler_content_open', 'div', 1).attrs = [
    ['class', 'spoiler-content'],
    ['aria-hidden', 'true'],
  ]
  parseContent(state, startLine, found)
  closeTight(state, 'spoiler_content_close')
  state.push('spoiler_close', 'div', -1)
  return true
}

function pushTitle(state: StateBlock, title: string): void {
  state.push('paragraph_open', 'p', 1)
  const inline = state.push('inline', '', 0)
  inline.content = title
  inline.children = []
  state.push('paragraph_close', 'p', -1)
}

function openTight(state: StateBlock, type: string, attrs: [string, string][]): void {
  const token = state.push(type, 'div', 1)
  token.block = false
  token.attrs = attrs
}

function closeTight(state: StateBlock, type: string): void {
  state.push(type, 'div', -1).block = false
}
