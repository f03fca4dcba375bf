import type Katex from 'katex'
import type { Env } from 'markdown-it'
import { escapeHtml } from '../escape.ts'
import { jobOf, spend } from '../job.ts'

/** A formula grows up to 500-fold when it is drawn; a small one costs as much as ten more characters. */
export const MAX_TEX_CHARACTERS_PER_MESSAGE = 2_000
const CHARACTERS_PER_FORMULA = 10
/**
 * How many times as long as the whole text the HTML of its formulas may be, and the length that it may have in any
 * case.
 */
const MAX_FORMULA_GROWTH = 16
const SMALL_FORMULAS_CHARACTERS = 16_000
/** Deeper nesting than any readable formula has; it bounds the depth of the HTML. */
const MAX_TEX_LEVELS = 25

/**
 * Refused: definitions, as a few of them make a formula of a thousand characters run for half a minute, and commands
 * that write to the server's log.
 */
const REFUSED_COMMANDS =
  /\\(?:[gex]?def|let|futurelet|global|long|newcommand|renewcommand|providecommand|message|errmessage|show)(?![a-zA-Z])/

let katex: typeof Katex | undefined

export async function loadTex(): Promise<void> {
  katex ??= (await import('katex')).default
}

/** Draws a formula; one that cannot be drawn is shown as it was written. */
export function renderTex(tex: string, place: 'inline' | 'display', env: Env): string {
  const cost = tex.length + CHARACTERS_PER_FORMULA
  const drawn = spend(env, 'TeX characters', cost, MAX_TEX_CHARACTERS_PER_MESSAGE) ? draw(tex, place) : undefined
  const html = drawn !== undefined && fits(drawn, env) ? drawn : undefined
  return html ?? `<span class="tex-error">${escapeHtml(place === 'inline' ? `$$${tex}$$` : tex)}</span>`
}

/** Whether a drawn formula leaves the HTML in proportion to the text; others are shown as they were written. */
function fits(html: string, env: Env): boolean {
  const limit = Math.max(MAX_FORMULA_GROWTH * jobOf(env).sourceCharacters, SMALL_FORMULAS_CHARACTERS)
  return spend(env, 'HTML of formulas', html.length, limit)
}

function draw(tex: string, place: 'inline' | 'display'): string | undefined {
  if (!katex) throw new Error('KaTeX was not loaded')
  if (REFUSED_COMMANDS.test(tex) || levels(tex) > MAX_TEX_LEVELS) return undefined
  // KaTeX warns about letters that its fonts lack; users who type them would fill the server's log.
  const { warn } = console
  Object.assign(console, { warn: () => undefined })
  try {
    return katex.renderToString(tex, {
      displayMode: place === 'display',
      throwOnError: true,
      strict: 'ignore',
      trust: false, // no links, no images, no attributes
      maxSize: 20,
      macros: {}, // its own each time: nothing defined in one message reaches another
    })
  } catch {
    return undefined // a formula with a mistake; its author sees it as written
  } finally {
    Object.assign(console, { warn })
  }
}

function levels(tex: string): number {
  let level = 0
  let deepest = 0
  for (const [bracket] of tex.matchAll(/[{}]|\\(?:left|right|begin|end|bgroup|egroup)(?![a-zA-Z])/g)) {
    level += /^(?:\{|\\left|\\b)/.test(bracket) ? 1 : -1
    deepest = Math.max(deepest, level)
  }
  return deepest
}
