import type { Yielder } from '../../../kernel/pauses.ts'

export const MAX_COMPARED_TOKENS = 40_000
/** With more changes, a diff does not help readers, and the time grows quadratically. */
export const MAX_CHANGED_TOKENS = 300

type ChangeMark = 'inserted' | 'deleted'

interface TokenRun {
  readonly kind: 'equal' | ChangeMark
  readonly before: readonly Token[]
  readonly after: readonly Token[]
}

/** Marks changed text and elements, such as formulas, as `highlight_text_inserted` or `highlight_text_deleted`. */
export async function htmlDiff(before: string, after: string, pause: Yielder = () => undefined): Promise<string> {
  const [old, now] = [await tokenize(before, pause), await tokenize(after, pause)]
  await pause()
  return (await compareTokens(old, now)) ?? `${markTokens(old, 'deleted')}\n${markTokens(now, 'inserted')}`
}

async function compareTokens(before: readonly Token[], after: readonly Token[]): Promise<string | undefined> {
  if (before.length + after.length > MAX_COMPARED_TOKENS) return undefined
  const { diffArrays } = await import('diff')
  const [old, now] = [before.map(({ key }) => key), after.map(({ key }) => key)]
  // diffArrays skips the common beginning and end, so most edits leave little to compare.
  const changes = diffArrays(old, now, { maxEditLength: MAX_CHANGED_TOKENS })
  if (changes === undefined) return undefined
  let [i, j] = [0, 0]
  const stretches = changes.map(({ added, removed, count }): TokenRun => {
    const [fromOld, fromNow] = [added ? 0 : count, removed ? 0 : count]
    const stretch = { before: before.slice(i, i + fromOld), after: after.slice(j, j + fromNow) }
    i += fromOld
    j += fromNow
    const mark = added ? 'inserted' : 'deleted'
    return { kind: added || removed ? mark : 'equal', ...stretch }
  })
  return mergeStretches(balanceStretches(stretches))
}

function markTokens(tokens: readonly Token[], mark: ChangeMark): string {
  const page = startDiffPage()
  for (const token of tokens) page.put(token, mark)
  return page.html()
}

const MAX_BALANCING_STEPS = 8

function balanceStretches(stretches: readonly TokenRun[]): TokenRun[] {
  const moved = [...stretches]
  for (const [index, { kind, before: gone }] of moved.entries()) {
    const [left, right] = [moved[index - 1], moved[index + 1]]
    if (kind !== 'deleted' || left?.kind !== 'equal' || right?.kind === 'inserted') continue
    const steps = stepsToBalance(left.before, gone)
    if (steps === 0) continue
    const back = <Kept>(tokens: readonly Kept[]): [Kept[], Kept[]] => [tokens.slice(0, -steps), tokens.slice(-steps)]
    const [[staysBefore, comes], [staysAfter, comesAfter]] = [back(left.before), back(left.after)]
    const [stays, goes] = back([...comes, ...gone])
    moved[index - 1] = { kind: 'equal', before: staysBefore, after: staysAfter }
    moved[index] = { kind, before: stays, after: [] }
    const next = right ?? { before: [], after: [] }
    moved[index + 1] = { kind: 'equal', before: [...goes, ...next.before], after: [...comesAfter, ...next.after] }
  }
  return moved
}

function stepsToBalance(left: readonly Token[], gone: readonly Token[]): number {
  const all = [...left.slice(-MAX_BALANCING_STEPS), ...gone]
  const start = all.length - gone.length
  for (let steps = 0; steps <= start; steps += 1) {
    if (steps > 0 && all[start - steps]?.key !== all[all.length - steps]?.key) return 0
    if (isBalanced(all.slice(start - steps, all.length - steps))) return steps
  }
  return 0
}

function isBalanced(tokens: readonly Token[]): boolean {
  return pairTokens(tokens).size === tokens.filter(({ kind }) => kind === 'open' || kind === 'close').length
}

function pairTokens(tokens: readonly Token[]): Map<Token, Token> {
  const partners = new Map<Token, Token>()
  const open: Token[] = []
  for (const token of tokens) {
    if (token.kind === 'open') open.push(token)
    const partner = token.kind === 'close' ? open.pop() : undefined
    if (partner === undefined) continue
    partners.set(partner, token)
    partners.set(token, partner)
  }
  return partners
}

/** Elements that enclose a token. Equal nesting is represented by the same object. */
interface ElementPath {
  readonly name: string
  readonly outside: ElementPath | undefined
  readonly inside: Map<string, ElementPath>
}

const GAP_TOKEN: Token = { html: ' ', key: ' ', kind: 'text', name: '' }

const TEXTLESS_TAGS = new Set(['table', 'thead', 'tbody', 'tr'])

/** Returns HTML with only the text of partly deleted elements; undefined if the parent of the text cannot hold text. */
function mergeStretches(stretches: readonly TokenRun[]): string | undefined {
  const page = startDiffPage()
  const nowhere: ElementPath = { name: '', outside: undefined, inside: new Map() }
  let [was, is] = [nowhere, nowhere]
  for (const { kind, before, after } of stretches) {
    if (kind !== 'deleted') {
      for (const token of before) was = pathAfter(was, token)
      for (const token of after) {
        is = pathAfter(is, token)
        page.put(token, kind === 'equal' ? undefined : kind)
      }
      continue
    }
    const partners = pairTokens(before)
    const kept = new Set<Token>()
    let [said, gap] = [false, false]
    for (const token of before) {
      const partner = partners.get(token)
      const isKept =
        token.kind === 'close' ? kept.has(token) : was === is && (partner !== undefined || token.kind === 'break')
      was = pathAfter(was, token)
      if (token.kind === 'text') {
        if (TEXTLESS_TAGS.has(is.name)) return undefined
        if (gap) page.put(GAP_TOKEN, 'deleted')
        page.put(token, 'deleted')
        said = true
        gap = false
      } else if (isKept) {
        if (partner !== undefined) kept.add(partner)
        is = pathAfter(is, token)
        page.put(token, 'deleted')
        gap = false
      } else if (isBlock(token.name)) gap = true
    }
    if (said && gap && !TEXTLESS_TAGS.has(is.name)) page.put(GAP_TOKEN, 'deleted')
  }
  return page.html()
}

function pathAfter(place: ElementPath, { kind, name }: Token): ElementPath {
  if (kind === 'close') return place.outside ?? place
  if (kind !== 'open') return place
  const known = place.inside.get(name)
  if (known !== undefined) return known
  const inside: ElementPath = { name, outside: place, inside: new Map() }
  place.inside.set(name, inside)
  return inside
}

interface DiffPage {
  readonly put: (token: Token, mark: ChangeMark | undefined) => void
  readonly html: () => string
}

function startDiffPage(): DiffPage {
  const parts: string[] = []
  let open: ChangeMark | undefined
  const turn = (mark: ChangeMark | undefined): void => {
    if (mark === open) return
    if (open !== undefined) parts.push('</span>')
    if (mark !== undefined) parts.push(`<span class="highlight_text_${mark}">`)
    open = mark
  }
  return {
    put: ({ kind, html }, mark) => {
      turn(kind === 'text' ? mark : undefined)
      parts.push(html)
    },
    html: () => {
      turn(undefined)
      return parts.join('')
    },
  }
}

interface Token {
  readonly html: string
  readonly key: string
  /** `text` includes formulas; `break` is a void element, such as `br`. */
  readonly kind: 'text' | 'open' | 'close' | 'break'
  readonly name: string
}

/** Matches a tag or text. The renderer writes no `<` or `>` inside attributes. */
const TAG_OR_TEXT_PATTERN = /<(\/?)([a-z][a-z0-9]*)(?![a-z0-9])[^<>]*?(\/?)>|[^<]+/g
/** Elements treated as one unit, such as formulas and mentions. */
const UNIT_ELEMENT_PATTERN =
  /^<(?:span (?:[^<>]* )?class="(?:katex|emoji|user-mention|user-group-mention|topic-mention)|(?:img|time|video) )/
const VOID_ELEMENTS = new Set(['br', 'hr', 'img'])
const CHARACTER_REFERENCE_PATTERN = /(&[#a-z0-9]+;)/
const BLOCK_TAGS = new Set('p br hr h1 h2 h3 h4 h5 h6 ul ol li blockquote table thead tbody tr th td div'.split(' '))

/** Splits text into words, never within a visible character. Created on demand, because that takes 10 ms. */
let segmenter: Intl.Segmenter | undefined
const ASCII_PATTERN = /^\p{ASCII}*$/u
/** Splits ASCII like the segmenter in a tenth of the time. */
const ASCII_WORD_PATTERN = /\w+|\s+|./gs

async function tokenize(html: string, pause: Yielder): Promise<Token[]> {
  const tokens: Token[] = []
  let whole = { start: 0, depth: 0 }
  for (const { 0: piece, 1: slash, 2: name, 3: selfClosed, index } of html.matchAll(TAG_OR_TEXT_PATTERN)) {
    if (name === undefined) {
      if (whole.depth === 0) await pushText(tokens, piece, pause)
      continue
    }
    const opens = slash === '' && selfClosed === '' && !VOID_ELEMENTS.has(name)
    if (whole.depth === 0 && !UNIT_ELEMENT_PATTERN.test(piece)) {
      tokens.push({ html: piece, key: piece, kind: tagTokenKind(slash === '/', opens), name })
      continue
    }
    if (whole.depth === 0) whole = { start: index, depth: 0 }
    if (opens) whole.depth += 1
    if (slash === '/') whole.depth -= 1
    if (whole.depth === 0) pushToken(tokens, html.slice(whole.start, index + piece.length))
  }
  return tokens
}

function tagTokenKind(closes: boolean, opens: boolean): Token['kind'] {
  if (closes) return 'close'
  return opens ? 'open' : 'break'
}

function isBlock(name: string): boolean {
  return BLOCK_TAGS.has(name)
}

async function pushText(tokens: Token[], text: string, pause: Yielder): Promise<void> {
  const last = tokens.at(-1)
  const isBesideBlock = text.startsWith('\n') && last !== undefined && isBlock(last.name)
  if (isBesideBlock) tokens[tokens.length - 1] = { ...last, html: `${last.html}\n` }
  for (const [index, part] of (isBesideBlock ? text.slice(1) : text).split(CHARACTER_REFERENCE_PATTERN).entries()) {
    // `split` puts the matches at odd indexes.
    if (index % 2 === 1) pushToken(tokens, part)
    else
      for (const word of splitWords(part)) {
        pushToken(tokens, word)
        const waiting = pause()
        if (waiting !== undefined) await waiting
      }
  }
}

/** Yields words one by one, because the segmenter takes up to 50 ms for a long message. */
function* splitWords(text: string): Iterable<string> {
  if (ASCII_PATTERN.test(text)) return yield* text.match(ASCII_WORD_PATTERN) ?? []
  segmenter ??= new Intl.Segmenter('und', { granularity: 'word' })
  for (const { segment } of segmenter.segment(text)) yield segment
}

function pushToken(tokens: Token[], html: string): void {
  tokens.push({ html, key: html, kind: 'text', name: '' })
}
