import type { Token } from 'markdown-it'

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
