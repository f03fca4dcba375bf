import { placesOf, type IsForm, type SearchClause, type SearchPart } from './search-query.ts'
import { searchTermsOf, type SearchTerm } from './search-terms.ts'

/** An HTML tag or entity, which stays unchanged. The renderer writes no `<` or `>` inside attributes. */
const HTML_TAG_OR_ENTITY = /<[^<>]*>|&(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);/gi
const FORMULA_TAGS = { begin: '<math', end: '</math>' }

/** Marks what the clauses found. `terms` are the terms of the text. */
export function markMatches(
  text: string,
  terms: readonly SearchTerm[],
  clauses: readonly SearchClause[],
  isForm: IsForm,
  escape: (part: string) => string,
): string {
  const found = clauses.flatMap((clause) =>
    placesOf(clause, terms, isForm).flatMap((at) =>
      clause.parts.flatMap((part, offset) => {
        const term = terms[at + offset]
        return term === undefined ? [] : [matchedPlace(part, term)]
      }),
    ),
  )
  let html = ''
  let written = 0
  for (const { start, end } of joinOverlapping(found)) {
    html += `${escape(text.slice(written, start))}<span class="highlight">${escape(text.slice(start, end))}</span>`
    written = end
  }
  return html + escape(text.slice(written))
}

interface TextPlace {
  readonly start: number
  readonly end: number
}

/** Returns the whole word, but only one character of a pair if the search was for one. */
function matchedPlace(part: SearchPart, { start, end, kind, text }: SearchTerm): TextPlace {
  const isOneOfPair = part.kind === 'last' && kind === 'pair' && end - start === text.length
  return { start, end: isOneOfPair ? start + part.text.length : end }
}

function joinOverlapping(places: readonly TextPlace[]): TextPlace[] {
  const joined: TextPlace[] = []
  for (const { start, end } of places.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1)
    if (last === undefined || start >= last.end) joined.push({ start, end })
    else joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, end) }
  }
  return joined
}

export function searchTermsOfHtml(html: string): SearchTerm[] {
  return searchTermsOf(withoutFormulas(html).replace(HTML_TAG_OR_ENTITY, blanksOfSameLength))
}

function blanksOfSameLength(markup: string): string {
  return ' '.repeat(markup.length)
}

function withoutFormulas(html: string): string {
  let kept = ''
  let from = 0
  for (;;) {
    const begin = html.indexOf(FORMULA_TAGS.begin, from)
    const end = begin === -1 ? -1 : html.indexOf(FORMULA_TAGS.end, begin)
    if (end === -1) return kept + html.slice(from)
    const next = end + FORMULA_TAGS.end.length
    kept += html.slice(from, begin) + blanksOfSameLength(html.slice(begin, next))
    from = next
  }
}
