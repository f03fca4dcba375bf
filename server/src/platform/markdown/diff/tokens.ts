/** A piece of rendered HTML that is there or is not, never in part. */
export interface Token {
  readonly html: string
  /** Two tokens with the same key are the same: line breaks beside blocks mean nothing. */
  readonly key: string
  /** `text` is what a reader sees, a formula too; `break` is an element without content. */
  readonly kind: 'text' | 'open' | 'close' | 'break'
  /** The name of the element; empty for text. */
  readonly name: string
}

/** The renderer writes no `<` or `>` inside an attribute. */
const PIECE = /<(\/?)([a-z][a-z0-9]*)(?![a-z0-9])[^<>]*?(\/?)>|[^<]+/g
/** Elements that stand for one thing: a formula, a name, a picture. */
const WHOLE =
  /^<(?:span (?:[^<>]* )?class="(?:katex|emoji|user-mention|user-group-mention|topic-mention)|(?:img|time|video) )/
const EMPTY = new Set(['br', 'hr', 'img'])
const REFERENCE = /(&[#a-z0-9]+;)/
const BLOCKS = new Set('p br hr h1 h2 h3 h4 h5 h6 ul ol li blockquote table thead tbody tr th td div'.split(' '))

/** Splits text by the rules of Unicode, so that no character that a reader sees is cut. Loading them takes 10 ms. */
let segmenter: Intl.Segmenter | undefined
const ASCII = /^\p{ASCII}*$/u
/** Splits ASCII text like the segmenter, in a tenth of the time. */
const ASCII_WORD = /\w+|\s+|./gs

/** The pieces of HTML that the renderer has made, in order; joined, they are that HTML again. */
export function tokensOf(html: string): Token[] {
  const tokens: Token[] = []
  /** The element that is taken whole: where it began, and how many elements are open in it. */
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

/** Whether an element begins and ends a line of its own. */
export function isBlock(name: string): boolean {
  return BLOCKS.has(name)
}

function pushText(tokens: Token[], text: string): void {
  const last = tokens.at(-1)
  const isBesideBlock = text.startsWith('\n') && last !== undefined && isBlock(last.name)
  if (isBesideBlock) tokens[tokens.length - 1] = { ...last, html: `${last.html}\n` }
  for (const [index, part] of (isBesideBlock ? text.slice(1) : text).split(REFERENCE).entries()) {
    // The matches of the expression are at every other place.
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
