import type { MarkdownIt, StateCore } from 'markdown-it'
import { jobOf, type MarkdownContext } from '../job.ts'
import { findNameInAsterisks } from '../starred.ts'
import { findTarget } from './channel-links.ts'
import { findGroup, findPerson } from './mentions.ts'

/** Formats cell alignment, and allows a pipe in a name: the pipe in `@**Ann|7**` must not end the cell. */
export function tablesExtension(md: MarkdownIt): void {
  md.core.ruler.before('block', 'hide_bars_in_names', hideBarsInNames)
  md.core.ruler.after('block', 'show_bars_in_names', showBarsInNames)
  md.core.ruler.push('cell_alignment', alignCells)
}

/** Writes the alignment style exactly as apps expect it. */
function alignCells(state: StateCore): void {
  for (const token of state.tokens) {
    if (token.type !== 'th_open' && token.type !== 'td_open') continue
    const style = token.attrGet('style')
    if (style !== null) token.attrSet('style', `${String(style).replace(':', ': ')};`)
  }
}

/** Placeholder for a pipe. The parser removes NUL from its input, so no message contains it. */
const PIPE_PLACEHOLDER = '\0'

function hideBarsInNames(state: StateCore): void {
  const { src } = state
  if (!src.includes('|') || !src.includes('*')) return
  const { context } = jobOf(state.env)
  const hidden = [...src.matchAll(/(@_?|#)(\*\*?)/g)].flatMap(({ 1: sign = '', 2: asterisks, index }) => {
    const start = index + sign.length
    const marks = asterisks === '**' ? '**' : '*'
    const find = (text: string) => isNameOfTarget(sign + marks, text, context) || undefined
    const read = findNameInAsterisks({ src, posMax: src.length }, start, marks, find)
    return read === undefined ? [] : [{ start, end: read.starred.end }]
  })
  let from = 0
  const pieces = hidden.flatMap(({ start, end }) => {
    if (start < from) return []
    const before = src.slice(from, start)
    from = end
    return [before, src.slice(start, end).replaceAll('|', PIPE_PLACEHOLDER)]
  })
  state.src = [...pieces, src.slice(from)].join('')
}

/** Matches a person's name and ID, even if the name is outdated or the author cannot mention the person. */
const NAME_AND_ID_PATTERN = /^[^*|\\]*\|\d{1,15}$/

function isNameOfTarget(marks: string, text: string, context: MarkdownContext): boolean {
  if (marks === '#**') return findTarget(text, context) !== undefined
  if (marks.endsWith('**')) return NAME_AND_ID_PATTERN.test(text) || findPerson(text, context) !== undefined
  return marks !== '#*' && findGroup(text, context) !== undefined
}

function showBarsInNames(state: StateCore): void {
  if (!state.src.includes(PIPE_PLACEHOLDER)) return
  state.src = state.src.replaceAll(PIPE_PLACEHOLDER, '|')
  for (const token of state.tokens) {
    token.content = token.content.replaceAll(PIPE_PLACEHOLDER, '|')
    token.info = token.info.replaceAll(PIPE_PLACEHOLDER, '|')
  }
}
