import type { ZxcvbnFactory } from '@zxcvbn-ts/core'

/** A password that takes fewer guesses is refused; clients are told the number, as `password_min_guesses`. */
export const MIN_GUESSES = 10_000

/** Loaded with the first password that somebody chooses: its word lists take megabytes, and most processes never need them. */
let estimator: Promise<ZxcvbnFactory> | undefined

/** Whether a password is guessed too easily: a common one, a pattern of keys, or made of the person's own words. */
export async function isGuessable(password: string, ownWords: readonly string[]): Promise<boolean> {
  estimator ??= load()
  const { guesses } = (await estimator).check(password, ownWords.flatMap(partsOf))
  return guesses < MIN_GUESSES
}

async function load(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory: Factory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  return new Factory({ graphs: adjacencyGraphs, dictionary })
}

/** Between the words of a name, where it becomes a password. */
const SEPARATORS = ['', ' ', '-', '.', '_']

/** A name or an address, the words in it, and what is made of these. */
function partsOf(text: string): string[] {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  return [text, ...words, ...SEPARATORS.map((separator) => words.join(separator))].filter((part) => part.length > 2)
}
