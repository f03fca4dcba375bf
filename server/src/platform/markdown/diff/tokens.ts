export interface Token {
  readonly html: string
  readonly key: string
  /** `text` includes formulas; `break` is an empty element. */
  readonly kind: 'text' | 'open' | 'close' | 'break'
  readonly name: string
}

/** The renderer writes no `<` or `>` inside attributes. */
const PIECE = /<(\/?)([a-z][a-z0-9]*)(?![a-z0-9])[^<>]*?(\/?)>|[^<]+/g
/** Elements treated as one unit, such as formulas and mentions. */
const WHOLE =
  /^<(?:span (?:[^<>]* )?class="(?:katex|emoji|user-mention|user-group-mention|topic-mention)|(?:img|time|video) )/
const EMPTY = new Set(['br', 'hr', 'img'])
const REFERENCE = /(&[#a-z0-9]+;)/
const BLOCKS = new Set('p br hr h1 h2 h3 h4 h5 h6 ul ol li blockquote table thead tbody tr th td div'.split(' '))

/** Never splits a visible character. Created on demand, which takes 10 ms. */
let segmenter: Intl.Segmenter | undefined
const ASCII = /^\p{ASCII}*$/u
/** Splits ASCII like the segmenter in a tenth of the time. */
const ASCII_WORD = /\w+|\s+|./gs

export function tokensOf(html: string): Token[] {
  const tokens: Token[] = []
  let whole = { start: 0, depth: 0 }
  for (const { 0: piece, 1: slash, 2: name, 3: selfClosed, index } of html.matchAll(PIECE)) {
    if (name === undefined) {
      if (whole.depth === 0) pushText(tokens, piece)
      continue
    }
    const opens = slash === '' && selfClosed === '' && !EMPTY.has(name)
    if (whole.depth === 0 && !WHOLE.test(piece)) {
      tokens.push({ html: piece, key: piece, kind: kindOf(slash === '/', opens), name })
      continue
    }
    if (whole.depth === 0) whole = { start: index, depth: 0 }
    if (opens) whole.depth += 1
    if (slash === '/') whole.depth -= 1
    if (whole.depth === 0) pushOne(tokens, html.slice(whole.start, index + piece.length))
  }
  return tokens
}

function kindOf(closes: boolean, opens: boolean): Token['kind'] {
  if (closes) return 'close'
  return opens ? 'open' : 'break'
}

export function isBlock(name: string): boolean {
  return BLOCKS.has(name)
}

function pushText(tokens: Token[], text: string): void {
  const last = tokens.at(-1)
  const isBesideBlock = text.startsWith('\n') && last !== undefined && isBlock(last.name)
  if (isBesideBlock) tokens[tokens.length - 1] = { ...last, html: `${last.html}\n` }
  for (const [index, part] of (isBesideBlock ? text.slice(1) : text).split(REFERENCE).entries()) {
    // `split` puts the matches at odd indexes.
    if (index % 2 === 1) pushOne(tokens, part)
    else for (const word of wordsOf(part)) pushOne(tokens, word)
  }
}

function wordsOf(text: string): Iterable<string> {
  if (ASCII.test(text)) return text.match(ASCII_WORD) ?? []
  segmenter ??= new Intl.Segmenter('und', { granularity: 'word' })
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

function pushOne(tokens: Token[], html: string): void {
  tokens.push({ html, key: html, kind: 'text', name: '' })
}
