import type Katex from 'katex'
import type { MarkdownIt, RendererRule, StateInline, Env } from 'markdown-it'
import { escapeHtml } from '../escape.ts'
import { jobOf, spendBudget } from '../job.ts'

const DOLLAR_CODE = 36
const LINE_FEED_CODE = 10
const BACKSLASH_CODE = 92

export function mathExtension(md: MarkdownIt): void {
  md.inline.ruler.before('emphasis', 'math', parseInlineMath)
  md.renderer.rules['math'] = (tokens, index, _options, env = {}) =>
    renderTex(tokens[index]?.content ?? '', 'inline', env)
  const renderCode = md.renderer.rules['fence']
  md.renderer.rules['fence'] = (...call) => (isMathBlock(call) ? renderMathBlock(call) : (renderCode?.(...call) ?? ''))
}

type RenderRuleArguments = Parameters<RendererRule>

function isMathBlock([tokens, index]: RenderRuleArguments): boolean {
  return /^[ \t]*math[ \t]*$/i.test(tokens[index]?.info ?? '')
}

/** Renders formulas that are separated by empty lines as separate paragraphs. */
function renderMathBlock([tokens, index, , env = {}]: RenderRuleArguments): string {
  const formulas = (tokens[index]?.content ?? '').split(/\n[ \t]*\n/).filter((formula) => formula.trim() !== '')
  return formulas.map((formula) => `<p>${renderTex(formula.trim(), 'display', env)}</p>\n`).join('')
}

function parseInlineMath(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state
  if (!isDollarPairAt(src, pos)) return false
  const end = findClosingDollars(src, pos + 2, state.posMax)
  if (end === undefined) return false
  if (!silent) state.push('math', '', 0).content = src.slice(pos + 2, end)
  state.pos = end + 2
  return true
}

function isDollarPairAt(src: string, pos: number): boolean {
  return (
    src.charCodeAt(pos) === DOLLAR_CODE &&
    src.charCodeAt(pos + 1) === DOLLAR_CODE &&
    src.charCodeAt(pos + 2) !== DOLLAR_CODE &&
    (pos === 0 || src.charCodeAt(pos - 1) !== DOLLAR_CODE)
  )
}

/** Stops at the next dollar sign, so that a series of opening dollar signs is scanned only once. */
function findClosingDollars(src: string, start: number, limit: number): number | undefined {
  for (let pos = start; pos < limit; pos++) {
    const character = src.charCodeAt(pos)
    if (character === LINE_FEED_CODE) return undefined
    if (character === BACKSLASH_CODE) pos++
    else if (character === DOLLAR_CODE)
      return pos > start && pos + 2 <= limit && isDollarPairAt(src, pos) ? pos : undefined
  }
  return undefined
}

const MAY_HAVE_MATH_PATTERN = /\$\$|(?:`{3}|~{3})[ \t]*math/i

export function mayHaveMath(source: string): boolean {
  return MAY_HAVE_MATH_PATTERN.test(source)
}

/** Rendering can enlarge a formula 500-fold. */
export const MAX_TEX_CHARACTERS_PER_MESSAGE = 2_000
const FORMULA_COST_CHARACTERS = 10
/** Maximum ratio of formula HTML to text. A small amount is always allowed. */
const MAX_FORMULA_GROWTH = 16
const ALWAYS_ALLOWED_FORMULA_CHARACTERS = 16_000
/** Nesting limit of the HTML. */
const MAX_TEX_LEVELS = 25

/** Some definitions make a 1,000-character formula run for 30 s; other commands write to the log. */
const REFUSED_COMMANDS_PATTERN =
  /\\(?:[gex]?def|let|futurelet|global|long|newcommand|renewcommand|providecommand|message|errmessage|show)(?![a-zA-Z])/

let katex: typeof Katex | undefined

export async function loadTex(): Promise<void> {
  katex ??= (await import('katex')).default
}

function renderTex(tex: string, place: 'inline' | 'display', env: Env): string {
  const cost = tex.length + FORMULA_COST_CHARACTERS
  const drawn = spendBudget(env, 'TeX characters', cost, MAX_TEX_CHARACTERS_PER_MESSAGE)
    ? renderKatex(tex, place)
    : undefined
  const html = drawn !== undefined && isWithinLimits(drawn, env) ? drawn : undefined
  return html ?? `<span class="tex-error">${escapeHtml(place === 'inline' ? `$$${tex}$$` : tex)}</span>`
}

function isWithinLimits(html: string, env: Env): boolean {
  const limit = Math.max(MAX_FORMULA_GROWTH * jobOf(env).sourceCharacters, ALWAYS_ALLOWED_FORMULA_CHARACTERS)
  return spendBudget(env, 'HTML of formulas', html.length, limit)
}

function renderKatex(tex: string, place: 'inline' | 'display'): string | undefined {
  if (!katex) throw new Error('KaTeX was not loaded')
  if (REFUSED_COMMANDS_PATTERN.test(tex) || nestingLevels(tex) > MAX_TEX_LEVELS) return undefined
  // Silences warnings about letters missing in KaTeX's fonts, with which a user could fill the server's log.
  const { warn } = console
  Object.assign(console, { warn: () => undefined })
  try {
    return katex.renderToString(tex, {
      displayMode: place === 'display',
      throwOnError: true,
      strict: 'ignore',
      trust: false, // no links, images, or attributes
      maxSize: 20,
      macros: {}, // a new object each time, so that definitions cannot leak into other messages
    })
  } catch {
    return undefined // invalid formula; its author sees the source
  } finally {
    Object.assign(console, { warn })
  }
}

function nestingLevels(tex: string): number {
  let level = 0
  let deepest = 0
  for (const [bracket] of tex.matchAll(/[{}]|\\(?:left|right|begin|end|bgroup|egroup)(?![a-zA-Z])/g)) {
    level += /^(?:\{|\\left|\\b)/.test(bracket) ? 1 : -1
    deepest = Math.max(deepest, level)
  }
  return deepest
}
