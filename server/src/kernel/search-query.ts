import { searchTermsOf, type SearchTerm } from './search-terms.ts'

/** From this length in characters, a word also finds terms that contain it. */
const MIN_CONTAINED_CHARACTERS = 3

export interface SearchPart {
  readonly text: string
  readonly kind: SearchTerm['kind']
  /** Whether the term can have more characters before or after this text. */
  readonly opensLeft: boolean
  readonly opensRight: boolean
  /** Whether other forms of the word match, such as a plural. */
  readonly hasForms: boolean
}

/** Parts that follow each other directly: a word, an identifier such as `foo.bar()`, or a phrase in quotes. */
export interface SearchClause {
  readonly parts: readonly SearchPart[]
}

/** Whether the term is another form of the part's word. Only the server knows the forms of words. */
export type IsForm = (part: SearchPart, term: string) => boolean

const TOKEN = /"([^"]*)"|[^\s"]+/g

/** A text without letters and digits has no clauses. */
export function parseSearch(text: string): SearchClause[] {
  const clauses = new Map<string, SearchClause>()
  for (const { 0: token, 1: quoted } of text.matchAll(TOKEN)) {
    const parts = partsOf(quoted ?? token, quoted !== undefined)
    if (parts.length > 0) clauses.set(JSON.stringify(parts), { parts })
  }
  return [...clauses.values()]
}

function partsOf(token: string, isQuoted: boolean): SearchPart[] {
  const all = searchTermsOf(token)
  // The last pair has the last character, after which the text can continue.
  const terms = all.filter(({ kind }, at) => kind !== 'last' || at < all.length - 1 || all[at - 1]?.kind !== 'pair')
  return terms.map(({ text, kind }, at) => {
    const isOpen = !isQuoted && kind === 'word' && [...text].length >= MIN_CONTAINED_CHARACTERS
    const isLast = at === terms.length - 1
    return {
      text,
      kind,
      opensLeft: isOpen && at === 0,
      // Longer identifiers are found by their beginning, such as `v1.23` by `v1.2`.
      opensRight: isLast && (isOpen || kind === 'last' || (!isQuoted && kind === 'word' && at > 0)),
      hasForms: !isQuoted && kind === 'word',
    }
  })
}

export function matchesPart(part: SearchPart, term: string, isForm: IsForm): boolean {
  const { text, opensLeft, opensRight, hasForms } = part
  const matches = opensLeft
    ? opensRight
      ? term.includes(text)
      : term.endsWith(text)
    : opensRight
      ? term.startsWith(text)
      : term === text
  return matches || (hasForms && isForm(part, term))
}

/** Returns where the clause's parts begin in the list of terms. */
export function placesOf({ parts }: SearchClause, terms: readonly SearchTerm[], isForm: IsForm): number[] {
  return [...terms.keys()].filter((at) =>
    parts.every((part, offset) => {
      const term = terms[at + offset]
      return term !== undefined && matchesPart(part, term.text, isForm)
    }),
  )
}

/** Whether each clause matches at least one of the texts. */
export function matchesSearch(
  clauses: readonly SearchClause[],
  texts: readonly (readonly SearchTerm[])[],
  isForm: IsForm,
): boolean {
  return (
    clauses.length > 0 && clauses.every((clause) => texts.some((terms) => placesOf(clause, terms, isForm).length > 0))
  )
}
