import { lazyTexts } from '../kernel/later-texts.ts'
import { setRefusalTranslator } from './requests.ts'

export async function loadRefusalTexts(): Promise<void> {
  await loadRefusals()
  setRefusalTranslator(translateRefusal)
}

/** Translations by the server's English sentence, in which `{}` stands for each value. */
type RefusalTexts = Readonly<Record<string, string>>

const texts = lazyTexts<RefusalTexts>({
  // The server's messages are in English.
  en: () => Promise.resolve({}),
  de: async () => (await import('../strings/de/refusals.ts')).refusals,
})

const loadRefusals = texts.load

function translateRefusal(sentence: string): string | undefined {
  const refusals = texts.read()
  if (Object.hasOwn(refusals, sentence)) return refusals[sentence]
  for (const [template, text] of Object.entries(refusals)) {
    const values = extractValues(template.split('{}'), sentence)
    if (values === undefined) continue
    return text.split('{}').reduce((filled, piece, index) => filled + (values[index - 1] ?? '') + piece)
  }
  return undefined
}

function extractValues(pieces: readonly string[], sentence: string): string[] | undefined {
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
