import type { StateInline } from 'markdown-it'

const MAX_NAME_CHARACTERS = 300
const MAX_CLOSING_MARKS_TRIED = 4

interface NameInAsterisks {
  readonly text: string
  readonly end: number
}

/** Tries each of the first closing marks, because names of channels and groups can contain asterisks. */
function* readStarred(
  { src, posMax }: Pick<StateInline, 'src' | 'posMax'>,
  start: number,
  asterisks: '*' | '**',
): Generator<NameInAsterisks> {
  if (!src.startsWith(asterisks, start)) return
  const nameStart = start + asterisks.length
  const [within = ''] = src.slice(nameStart, Math.min(posMax, nameStart + MAX_NAME_CHARACTERS)).split('\n', 1)
  let closing = 0
  for (let tried = 0; tried < MAX_CLOSING_MARKS_TRIED; tried++) {
    closing = within.indexOf(asterisks, closing + 1)
    if (closing < 0) return
    yield { text: within.slice(0, closing), end: nameStart + closing + asterisks.length }
  }
}

export function findNameInAsterisks<Found>(
  state: Pick<StateInline, 'src' | 'posMax'>,
  start: number,
  asterisks: '*' | '**',
  find: (text: string) => Found | undefined,
): { readonly found: Found; readonly starred: NameInAsterisks } | undefined {
  for (const starred of readStarred(state, start, asterisks)) {
    const found = find(starred.text)
    if (found !== undefined) return { found, starred }
  }
  return undefined
}
