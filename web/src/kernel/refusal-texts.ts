import { lazyTexts } from './lazy-texts.ts'

/** By the sentences of the server, in which `{}` stands for what they are about. */
type Refusals = Readonly<Record<string, string>>

const texts = lazyTexts<Refusals>({
  // The server's own language.
  en: () => Promise.resolve({}),
  de: async () => (await import('../strings/de/refusals.ts')).refusals,
})

export const loadRefusals = texts.load

/** What the server said when it refused something, in the language of the one who reads; undefined where there are no words for it. */
export function translated(sentence: string): string | undefined {
  const refusals = texts.read()
  if (Object.hasOwn(refusals, sentence)) return refusals[sentence]
  for (const [template, text] of Object.entries(refusals)) {
    const values = valuesIn(template.split('{}'), sentence)
    if (values === undefined) continue
    return text.split('{}').reduce((filled, piece, index) => filled + (values[index - 1] ?? '') + piece)
  }
  return undefined
}

/** What stands between the pieces of a sentence; undefined where it is not made of them. */
function valuesIn(pieces: readonly string[], sentence: string): string[] | undefined {
  const [first = '', ...others] = pieces
  if (others.length === 0 || !sentence.startsWith(first)) return undefined
  const values: string[] = []
  let at = first.length
  for (const [index, piece] of others.entries()) {
    const end = index === others.length - 1 ? sentence.length - piece.length : sentence.indexOf(piece, at)
    if (end < at || !sentence.startsWith(piece, end)) return undefined
    values.push(sentence.slice(at, end))
    at = end + piece.length
  }
  return values
}
