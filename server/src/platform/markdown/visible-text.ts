import type { Token } from 'markdown-it'

/** What readers see of a message as words, code included: no markup, no addresses, no names of mentions or emoji. */
export function visibleText(tokens: readonly Token[]): string {
  return tokens.map((token) => (token.children === null ? ownText(token) : inlineText(token.children))).join('')
}

function inlineText(tokens: readonly Token[]): string {
  let pasted = 0
  let text = ''
  for (const token of tokens) {
    // A pasted address is shown as it is, but its words were not written by the author.
    if (token.info === 'auto') pasted += token.nesting
    text += pasted > 0 ? '\n' : ownText(token)
  }
  return text
}

/** Emphasis begins and ends inside words; everything else that is not text stands between them. */
function ownText(token: Token): string {
  if (token.content !== '') return token.type === 'text' ? token.content : `\n${token.content}\n`
  return token.type === 'text' || (token.nesting !== 0 && !token.block) ? '' : '\n'
}
