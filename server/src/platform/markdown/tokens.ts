import type { Token, StateCore } from 'markdown-it'

export class TokenData<Data> {
  readonly #byToken = new WeakMap<Token, Data>()

  attach(token: Token, data: Data): Token {
    this.#byToken.set(token, data)
    return token
  }

  of(token: Token): Data {
    const data = this.#byToken.get(token)
    if (data === undefined) throw new Error(`a token has no data: ${token.type}`)
    return data
  }
}

export function tokenAt(tokens: readonly Token[], index: number): Token {
  const token = tokens[index]
  if (token === undefined) throw new RangeError(`there is no token ${index}`)
  return token
}

export function replaceInText(
  state: StateCore,
  pattern: RegExp,
  tokenFor: (matched: string) => Token | undefined,
): void {
  forEachText(state, 'outside pasted links', (text) => {
    const pieces: Token[] = []
    let end = 0
    for (const match of text.content.matchAll(pattern)) {
      const token = tokenFor(match[0])
      if (!token) continue
      if (match.index > end) pieces.push(textToken(state, text.content.slice(end, match.index)))
      pieces.push(token)
      end = match.index + match[0].length
    }
    if (pieces.length === 0) return undefined
    if (end < text.content.length) pieces.push(textToken(state, text.content.slice(end)))
    return pieces
  })
}

/** Replaces text outside code and links. `outside pasted links` also replaces link labels that are not just a URL. */
export function forEachText(
  state: StateCore,
  where: 'outside links' | 'outside pasted links',
  replace: (text: Token) => readonly Token[] | undefined,
): void {
  for (const block of state.tokens) {
    let linkLevel = 0
    block.children =
      block.children?.flatMap((token) => {
        const counts = where === 'outside links' || token.info === 'auto'
        if (token.type === 'link_open' && counts) linkLevel++
        if (token.type === 'link_close' && counts) linkLevel--
        return (token.type === 'text' && linkLevel === 0 && replace(token)) || [token]
      }) ?? null
  }
}

export function textToken(state: StateCore, content: string): Token {
  const token = new state.Token('text', '', 0)
  token.content = content
  return token
}

export function turnIntoText(token: Token, content: string): void {
  token.type = 'text'
  token.tag = ''
  token.nesting = 0
  token.attrs = null
  token.content = content
}
