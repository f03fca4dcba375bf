import type { StateBlock, MarkdownIt } from 'markdown-it'

export interface Fence {
  readonly character: number
  readonly length: number
  /** Rest of the line; empty on a closing fence. */
  readonly info: string
}

/** Matches the info string of a fence whose content is Markdown and can contain fences. */
const CONTAINER_PATTERN = /^(quote|quoted|spoiler)(?:[ \t](.*))?$/is

export interface Container {
  readonly kind: 'quote' | 'spoiler'
  readonly title: string
  readonly contentEnd: number
  readonly closed: boolean
}

const BACKTICK_CODE = 96
const TILDE_CODE = 126

function parseContainerStart(state: StateBlock, line: number, endLine: number): Container | undefined {
  const fence = parseFence(state, line)
  const words = fence && CONTAINER_PATTERN.exec(fence.info)
  if (!words) return undefined
  return {
    kind: words[1]?.toLowerCase() === 'spoiler' ? 'spoiler' : 'quote',
    title: (words[2] ?? '').trim(),
    ...findContentEnd(state, fence, line, endLine),
  }
}

function parseContent(state: StateBlock, startLine: number, container: Container): void {
  const { lineMax, parentType } = state
  state.lineMax = container.contentEnd
  state.parentType = 'container'
  state.md.block.tokenize(state, startLine + 1, container.contentEnd)
  state.lineMax = lineMax
  state.parentType = parentType
  state.line = container.contentEnd + (container.closed ? 1 : 0)
}

function parseFence(state: StateBlock, line: number): Fence | undefined {
  if ((state.sCount[line] ?? 0) - state.blkIndent >= 4) return undefined
  const start = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0)
  const end = state.eMarks[line] ?? start
  const character = state.src.charCodeAt(start)
  if (start >= end || (character !== BACKTICK_CODE && character !== TILDE_CODE)) return undefined
  const infoStart = Math.min(state.skipChars(start, character), end)
  if (infoStart - start < 3) return undefined
  const info = state.src.slice(infoStart, end).trim()
  if (character === BACKTICK_CODE && info.includes('`')) return undefined
  return { character, length: infoStart - start, info }
}

/** Scans the lines once; an unclosed fence extends to the end. */
function findContentEnd(state: StateBlock, opening: Fence, startLine: number, endLine: number) {
  const open = [opening]
  for (let line = startLine + 1; line < endLine; line++) {
    if (!state.isEmpty(line) && (state.sCount[line] ?? 0) < state.blkIndent) return { contentEnd: line, closed: false }
    const fence = parseFence(state, line)
    const innermost = open.at(-1)
    if (!fence || !innermost) continue
    if (closesFence(fence, innermost)) {
      open.pop()
      if (open.length === 0) return { contentEnd: line, closed: true }
    } else if (CONTAINER_PATTERN.test(innermost.info)) {
      open.push(fence)
    }
  }
  return { contentEnd: endLine, closed: false }
}

/** Whether a fence closes the open fence. Only a fence of equal length closes a container: longer fences hold code. */
function closesFence(fence: Fence, open: Fence): boolean {
  if (fence.info !== '' || fence.character !== open.character) return false
  return CONTAINER_PATTERN.test(open.info) ? fence.length === open.length : fence.length >= open.length
}

export function quotesExtension(md: MarkdownIt): void {
  md.block.ruler.before('fence', 'fenced_quote', parseFencedQuote, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  })
}

function parseFencedQuote(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const quote = parseContainerStart(state, startLine, endLine)
  if (quote?.kind !== 'quote') return false
  if (silent) return true
  state.push('blockquote_open', 'blockquote', 1)
  parseContent(state, startLine, quote)
  state.push('blockquote_close', 'blockquote', -1)
  return true
}

export function spoilersExtension(md: MarkdownIt): void {
  md.block.ruler.before('fence', 'spoiler', parseSpoiler, { alt: ['paragraph', 'reference', 'blockquote', 'list'] })
}

function parseSpoiler(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const found = parseContainerStart(state, startLine, endLine)
  if (found?.kind !== 'spoiler') return false
  if (silent) return true
  // Apps iterate over the block's child nodes, so there must be no line breaks between them.
  openTightBlock(state, 'spoiler_open', [['class', 'spoiler-block']])
  state.push('spoiler_header_open', 'div', 1).attrs = [['class', 'spoiler-header']]
  if (found.title !== '') pushTitle(state, found.title)
  closeTightBlock(state, 'spoiler_header_close')
  state.push('spoiler_content_open', 'div', 1).attrs = [
    ['class', 'spoiler-content'],
    ['aria-hidden', 'true'],
  ]
  parseContent(state, startLine, found)
  closeTightBlock(state, 'spoiler_content_close')
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

function openTightBlock(state: StateBlock, type: string, attrs: [string, string][]): void {
  const token = state.push(type, 'div', 1)
  token.block = false
  token.attrs = attrs
}

function closeTightBlock(state: StateBlock, type: string): void {
  state.push(type, 'div', -1).block = false
}
