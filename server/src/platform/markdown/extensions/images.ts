import type { MarkdownIt, StateInline } from 'markdown-it'

const EXCLAMATION_MARK = 33
const OPENING_BRACKET = 91
const CLOSING_PARENTHESIS = 41

/** Treats `![text](url)` as a link, so that messages never make readers load external images. */
export function imagesExtension(md: MarkdownIt): void {
  md.disable('image')
  md.inline.ruler.before('link', 'image_as_link', parseImageAsLink)
}

function parseImageAsLink(state: StateInline, silent: boolean): boolean {
  const { pos, src } = state
  if (src.charCodeAt(pos) !== EXCLAMATION_MARK || src.charCodeAt(pos + 1) !== OPENING_BRACKET) return false
  const end = endOfLink(state, pos + 1)
  if (end < 0) return false
  if (silent) {
    state.pos = end
  } else if (state.linkLevel > 0) {
    // An image inside another link, such as a badge, is reduced to its alternative text.
    state.push('text', '', 0).content = src.slice(pos + 2, state.md.helpers.parseLinkLabel(state, pos + 1, true))
    state.pos = end
  } else {
    state.pos = pos + 1
  }
  return true
}

function endOfLink(state: StateInline, start: number): number {
  const { pos } = state
  state.pos = start
  if (start < state.posMax) state.md.inline.skipToken(state)
  const end = state.pos
  state.pos = pos
  return end > start + 1 && end <= state.posMax && state.src.charCodeAt(end - 1) === CLOSING_PARENTHESIS ? end : -1
}
