import { isBlock, tokensOf, type Token } from './tokens.ts'

/** Both versions together. A message as long as may be seldom has as many. */
export const MAX_COMPARED_TOKENS = 40_000
/** Above this limit a reader could not see what has stayed, and finding it takes time that grows with the square. */
export const MAX_CHANGED_TOKENS = 300

type Mark = 'inserted' | 'deleted'

/** A stretch of both versions: equal, or there in one of them. */
interface Stretch {
  readonly kind: 'equal' | Mark
  readonly before: readonly Token[]
  readonly after: readonly Token[]
}

/**
 * The changes between two texts that `renderMessage` has rendered: the HTML of the second, in which new text is in
 * spans of the class `highlight_text_inserted`, together with the deleted text in spans of `highlight_text_deleted`.
 * No tag is inside of these spans, except for elements that are shown whole, as a formula is. Texts that have little
 * in common, or too much to compare, are shown one after the other.
 */
export async function htmlDiff(before: string, after: string): Promise<string> {
  const [old, now] = [tokensOf(before), tokensOf(after)]
  return (await compare(old, now)) ?? `${marked(old, 'deleted')}\n${marked(now, 'inserted')}`
}

async function compare(before: readonly Token[], after: readonly Token[]): Promise<string | undefined> {
  if (before.length + after.length > MAX_COMPARED_TOKENS) return undefined
  const { diffArrays } = await import('diff')
  const [old, now] = [before.map(({ key }) => key), after.map(({ key }) => key)]
  // Without their common beginnings and ends, most texts have little to compare.
  const changes = diffArrays(old, now, { maxEditLength: MAX_CHANGED_TOKENS })
  if (changes === undefined) return undefined
  let [i, j] = [0, 0]
  const stretches = changes.map(({ added, removed, count }): Stretch => {
    const [fromOld, fromNow] = [added ? 0 : count, removed ? 0 : count]
    const stretch = { before: before.slice(i, i + fromOld), after: after.slice(j, j + fromNow) }
    i += fromOld
    j += fromNow
    const mark = added ? 'inserted' : 'deleted'
    return { kind: added || removed ? mark : 'equal', ...stretch }
  })
  return merged(balanced(stretches))
}

/** All of a text in one mark. */
function marked(tokens: readonly Token[], mark: Mark): string {
  const page = startPage()
  for (const token of tokens) page.put(token, mark)
  return page.html()
}

/** The longest way that a stretch is moved. */
const MAX_STEPS = 8

/**
 * Moves a deleted stretch to where it consists of whole elements: of two items of a list, the first is as deleted
 * when the stretch is the text of the one and the beginning of the other.
 */
function balanced(stretches: readonly Stretch[]): Stretch[] {
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
  const all = [...left.slice(-MAX_STEPS), ...gone]
  const start = all.length - gone.length
  for (let steps = 0; steps <= start; steps += 1) {
    if (steps > 0 && all[start - steps]?.key !== all[all.length - steps]?.key) return 0
    if (isBalanced(all.slice(start - steps, all.length - steps))) return steps
  }
  return 0
}

function isBalanced(tokens: readonly Token[]): boolean {
  return partnersIn(tokens).size === tokens.filter(({ kind }) => kind === 'open' || kind === 'close').length
}

/** The tags that open and close each other, in both directions, where both are there. */
function partnersIn(tokens: readonly Token[]): Map<Token, Token> {
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

/** The elements inside of which a token stands. The same names inside of each other are the same object. */
interface Place {
  readonly name: string
  readonly outside: Place | undefined
  readonly inside: Map<string, Place>
}

/** In place of the end of a block that is not shown. */
const GAP: Token = { html: ' ', key: ' ', kind: 'text', name: '' }

/** Text here would be shown before the table. */
const NO_TEXT = new Set(['table', 'thead', 'tbody', 'tr'])

/**
 * The second version with the deleted parts of the first. Elements of the first are kept where they can be: where
 * they were deleted whole and would stand inside of the same elements as before. Of other elements the text is shown.
 * @returns undefined where text would stand where none can be
 */
function merged(stretches: readonly Stretch[]): string | undefined {
  const page = startPage()
  const nowhere: Place = { name: '', outside: undefined, inside: new Map() }
  let [was, is] = [nowhere, nowhere]
  for (const { kind, before, after } of stretches) {
    if (kind !== 'deleted') {
      for (const token of before) was = behind(was, token)
      for (const token of after) {
        is = behind(is, token)
        page.put(token, kind === 'equal' ? undefined : kind)
      }
      continue
    }
    const partners = partnersIn(before)
    const kept = new Set<Token>()
    let [said, gap] = [false, false]
    for (const token of before) {
      const partner = partners.get(token)
      const isKept =
        token.kind === 'close' ? kept.has(token) : was === is && (partner !== undefined || token.kind === 'break')
      was = behind(was, token)
      if (token.kind === 'text') {
        if (NO_TEXT.has(is.name)) return undefined
        if (gap) page.put(GAP, 'deleted')
        page.put(token, 'deleted')
        said = true
        gap = false
      } else if (isKept) {
        if (partner !== undefined) kept.add(partner)
        is = behind(is, token)
        page.put(token, 'deleted')
        gap = false
      } else if (isBlock(token.name)) gap = true
    }
    if (said && gap && !NO_TEXT.has(is.name)) page.put(GAP, 'deleted')
  }
  return page.html()
}

function behind(place: Place, { kind, name }: Token): Place {
  if (kind === 'close') return place.outside ?? place
  if (kind !== 'open') return place
  const known = place.inside.get(name)
  if (known !== undefined) return known
  const inside: Place = { name, outside: place, inside: new Map() }
  place.inside.set(name, inside)
  return inside
}

interface Page {
  /** Puts a token behind the others; text is marked. */
  readonly put: (token: Token, mark: Mark | undefined) => void
  readonly html: () => string
}

function startPage(): Page {
  const parts: string[] = []
  let open: Mark | undefined
  const turn = (mark: Mark | undefined): void => {
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
