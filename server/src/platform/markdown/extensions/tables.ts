import type { MarkdownIt, StateCore } from 'markdown-it'
import { jobOf } from '../job.ts'
import { findStarred } from '../starred.ts'
import { findTarget } from './channel-links.ts'
import { findPerson } from './mentions.ts'

/** Formats cell alignment, and allows a pipe in a name: the one in `@**Ann|7**` must not end the cell. */
export function tables(md: MarkdownIt): void {
  md.core.ruler.before('block', 'hide_bars_in_names', hideBarsInNames)
  md.core.ruler.after('block', 'show_bars_in_names', showBarsInNames)
  md.core.ruler.push('cell_alignment', alignCells)
}

/** Writes the style exactly as apps expect it. */
function alignCells(state: StateCore): void {
  for (const token of state.tokens) {
    if (token.type !== 'th_open' && token.type !== 'td_open') continue
    const style = token.attrGet('style')
    if (style !== null) token.attrSet('style', `${String(style).replace(':', ': ')};`)
  }
}

/** Placeholder: the parser removes NUL from texts. */
const HIDDEN_BAR = '\0'

function hideBarsInNames(state: StateCore): void {
  const { src } = state
  if (!src.includes('|') || !src.includes('**')) return
  const { context } = jobOf(state.env)
  const hidden = [...src.matchAll(/([@#])_?(?=\*\*)/g)].flatMap(({ 0: sign, 1: kind, index }) => {
    const start = index + sign.length
    const find = kind === '@' ? findPerson : findTarget
    const read = findStarred({ src, posMax: src.length }, start, '**', (text) => find(text, context))
    return read === undefined ? [] : [{ start, end: read.starred.end }]
  })
  let from = 0
  const pieces = hidden.flatMap(({ start, end }) => {
    const before = src.slice(from, start)
    from = end
    return [before, src.slice(start, end).replaceAll('|', HIDDEN_BAR)]
  })
  state.src = [...pieces, src.slice(from)].join('')
}

function showBarsInNames(state: StateCore): void {
  if (!state.src.includes(HIDDEN_BAR)) return
  state.src = state.src.replaceAll(HIDDEN_BAR, '|')
  for (const token of state.tokens) {
    token.content = token.content.replaceAll(HIDDEN_BAR, '|')
    token.info = token.info.replaceAll(HIDDEN_BAR, '|')
  }
}
