import type { StateBlock } from 'markdown-it'

export interface Fence {
  readonly character: number
  readonly length: number
  /** Rest of the line; empty on a closing fence. */
  readonly info: string
}

/** Blocks of Markdown that can contain fences. */
const CONTAINER = /^(quote|quoted|spoiler)(?:[ \t](.*))?$/is

export interface Container {
  readonly kind: 'quote' | 'spoiler'
  readonly title: string
  readonly contentEnd: number
  readonly closed: boolean
}

const BACKTICK = 96
const TILDE = 126

export function containerAt(state: StateBlock, line: number, endLine: number): Container | undefined {
  const fence = fenceAt(state, line)
  const words = fence && CONTAINER.exec(fence.info)
  if (!words) return undefined
  return {
    kind: words[1]?.toLowerCase() === 'spoiler' ? 'spoiler' : 'quote',
    title: (words[2] ?? '').trim(),
    ...findContentEnd(state, fence, line, endLine),
  }
}

export function parseContent(state: StateBlock, startLine: number, container: Container): void {
  const { lineMax, parentType } = state
  state.lineMax = container.contentEnd
  state.parentType = 'container'
  state.md.block.tokenize(state, startLine + 1, container.contentEnd)
  state.lineMax = lineMax
  state.parentType = parentType
  state.line = container.contentEnd + (container.closed ? 1 : 0)
}

function fenceAt(state: StateBlock, line: number): Fence | undefined {
  if ((state.sCount[line] ?? 0) - state.blkIndent >= 4) return undefined
  const start = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0)
  const end = state.eMarks[line] ?? start
  const character = state.src.charCodeAt(start)
  if (start >= end || (character !== BACKTICK && character !== TILDE)) return undefined
  const infoStart = Math.min(state.skipChars(start, character), end)
  if (infoStart - start < 3) return undefined
  const info = state.src.slice(infoStart, end).trim()
  if (character === BACKTICK && info.includes('`')) return undefined
  return { character, length: infoStart - start, info }
}

/** Scans the lines once; an unclosed fence extends to the end. */
function findContentEnd(state: StateBlock, opening: Fence, startLine: number, endLine: number) {
  const open = [opening]
  for (let line = startLine + 1; line < endLine; line++) {
    if (!state.isEmpty(line) && (state.sCount[line] ?? 0) < state.blkIndent) return { contentEnd: line, closed: false }
    const fence = fenceAt(state, line)
    const innermost = open.at(-1)
    if (!fence || !innermost) continue
    if (closes(fence, innermost)) {
      open.pop()
      if (open.length === 0) return { contentEnd: line, closed: true }
    } else if (CONTAINER.test(innermost.info)) {
      open.push(fence)
    }
  }
  return { contentEnd: endLine, closed: false }
}

/** Whether a fence has the container's own length, because longer fences contain code within it. */
function closes(fence: Fence, open: Fence): boolean {
  if (fence.info !== '' || fence.character !== open.character) return false
  return CONTAINER.test(open.info) ? fence.length === open.length : fence.length >= open.length
}
