import type { Token } from 'markdown-it'

/** Includes code, but no markup, URLs, or names of mentions and emoji. */
export function visibleText(tokens: readonly Token[]): string {
  return tokens.map((token) => (token.children === null ? ownText(token) : inlineText(token.children))).join('')
}

function inlineText(tokens: readonly Token[]): string {
  let pasted = 0
  let text = ''
  for (const token of tokens) {
    // The text of a pasted URL is visible, but the author did not write it.
    if (token.info === 'auto') pasted += token.nesting
    text += pasted > 0 ? '\n' : ownText(token)
  }
  return text
}

/** Emphasis can start and end inside words; all other tokens separate words. */
function ownText(token: Token): string {
  if (token.content !== '') return token.type === 'text' ? token.content : `\n${token.content}\n`
  return token.type === 'text' || (token.nesting !== 0 && !token.block) ? '' : '\n'
}
