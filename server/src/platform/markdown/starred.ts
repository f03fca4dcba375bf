import type { StateInline } from 'markdown-it'

const ASTERISK = 42
const LINE_FEED = 10

/** Longer than any name with an id behind it, or a channel and a topic. */
const MAX_STARRED_CHARACTERS = 300

export interface Starred {
  readonly text: string
  readonly end: number
}

/**
 * Reads the name between asterisks that makes `@**name**`, `@*name*` and `#**name**`. Names contain no asterisks, and
 * the limit keeps long rows of openings linear.
 */
export function readStarred(
  state: Pick<StateInline, 'src' | 'posMax'>,
  start: number,
  asterisks: '*' | '**',
): Starred | undefined {
  const { src } = state
  const nameStart = start + asterisks.length
  if (!src.startsWith(asterisks, start)) return undefined
  const limit = Math.min(state.posMax, nameStart + MAX_STARRED_CHARACTERS)
  for (let pos = nameStart; pos < limit; pos++) {
    const character = src.charCodeAt(pos)
    if (character === LINE_FEED) return undefined
    if (character !== ASTERISK) continue
    const end = pos + asterisks.length
    if (pos === nameStart || end > state.posMax || !src.startsWith(asterisks, pos)) return undefined
    return { text: src.slice(nameStart, pos), end }
  }
  return undefined
}
