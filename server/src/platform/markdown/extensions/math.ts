import type { MarkdownIt, RendererRule, StateInline } from 'markdown-it'
import { renderTex } from '../math/tex.ts'

const DOLLAR = 36
const LINE_FEED = 10
const BACKSLASH = 92

export function mathExtension(md: MarkdownIt): void {
  md.inline.ruler.before('emphasis', 'math', parseInlineMath)
  md.renderer.rules['math'] = (tokens, index, _options, env = {}) =>
    renderTex(tokens[index]?.content ?? '', 'inline', env)
  const renderCode = md.renderer.rules['fence']
  md.renderer.rules['fence'] = (...call) => (isMathBlock(call) ? renderMathBlock(call) : (renderCode?.(...call) ?? ''))
}

type RenderCall = Parameters<RendererRule>

function isMathBlock([tokens, index]: RenderCall): boolean {
  return /^[ \t]*math[ \t]*$/i.test(tokens[index]?.info ?? '')
}

/** Renders formulas that are separated by empty lines as separate paragraphs. */
function renderMathBlock([tokens, index, , env = {}]: RenderCall): string {
  const formulas = (tokens[index]?.content ?? '').split(/\n[ \t]*\n/).filter((formula) => formula.trim() !== '')
  return formulas.map((formula) => `<p>${renderTex(formula.trim(), 'display', env)}</p>\n`).join('')
}

function parseInlineMath(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state
  if (!isPairAt(src, pos)) return false
  const end = findEnd(src, pos + 2, state.posMax)
  if (end === undefined) return false
  if (!silent) state.push('math', '', 0).content = src.slice(pos + 2, end)
  state.pos = end + 2
  return true
}

function isPairAt(src: string, pos: number): boolean {
  return (
    src.charCodeAt(pos) === DOLLAR &&
    src.charCodeAt(pos + 1) === DOLLAR &&
    src.charCodeAt(pos + 2) !== DOLLAR &&
    (pos === 0 || src.charCodeAt(pos - 1) !== DOLLAR)
  )
}

/** Stops at the next dollar sign, so that a series of opening dollar signs is scanned only once. */
function findEnd(src: string, start: number, limit: number): number | undefined {
  for (let pos = start; pos < limit; pos++) {
    const character = src.charCodeAt(pos)
    if (character === LINE_FEED) return undefined
    if (character === BACKSLASH) pos++
    else if (character === DOLLAR) return pos > start && pos + 2 <= limit && isPairAt(src, pos) ? pos : undefined
  }
  return undefined
}

const MAY_HAVE_MATH = /\$\$|(?:`{3}|~{3})[ \t]*math/i

export function mayHaveMath(source: string): boolean {
  return MAY_HAVE_MATH.test(source)
}
