import type { MarkdownIt, StateCore } from 'markdown-it'

/** Apps compare the style of a cell letter by letter, so it is written exactly as they expect it. */
export function tables(md: MarkdownIt): void {
  md.core.ruler.push('cell_alignment', alignCells)
}

function alignCells(state: StateCore): void {
  for (const token of state.tokens) {
    if (token.type !== 'th_open' && token.type !== 'td_open') continue
    const style = token.attrGet('style')
    if (style !== null) token.attrSet('style', `${String(style).replace(':', ': ')};`)
  }
}
