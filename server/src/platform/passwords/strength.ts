import { setTimeout as sleep } from 'node:timers/promises'
import type { ZxcvbnFactory } from '@zxcvbn-ts/core'

/** A password that takes fewer guesses is refused; clients are told the number, as `password_min_guesses`. */
export const MIN_GUESSES = 10_000

/**
 * How much is looked at of a password, and of each text that others know. The time grows much faster than either: the whole server
 * would wait for half a second for a password of a hundred characters, and for seconds for a name of a megabyte.
 */
const MAX_LOOKED_AT = 32
const MAX_KNOWN_TEXT = 300

/** Loaded with the first password that somebody chooses: its word lists take megabytes, and most processes never need them. */
let estimator: Promise<ZxcvbnFactory> | undefined

/** How many guesses a password takes that is no worse: `good` ones stand where they are tried fast, `strong` ones for years. */
const GUESSES_OF = { strong: 1e10, good: 1e8, fair: MIN_GUESSES } as const

export type Strength = keyof typeof GUESSES_OF | 'weak'

/** Whether a password is guessed too easily: a common one, a pattern of keys, or made of the person's own words. */
export async function isGuessable(password: string, ownWords: readonly string[]): Promise<boolean> {
  return (await guessesOf(password, ownWords)) < MIN_GUESSES
}

/** How hard a password is to guess; one that is weak is refused. */
async function strengthOf(password: string, ownWords: readonly string[]): Promise<Strength> {
  const guesses = await guessesOf(password, ownWords)
  if (guesses >= GUESSES_OF.strong) return 'strong'
  if (guesses >= GUESSES_OF.good) return 'good'
  return guesses >= GUESSES_OF.fair ? 'fair' : 'weak'
}

/** For so many times as long as an estimate took, the process does nothing but other work after it. */
const REST_TIMES = 4
const MAX_WAITING = 10

let waiting = 0
let turn: Promise<unknown> = Promise.resolve()

/**
 * The same for whoever asks: anybody may, and while one password is looked at, for up to a tenth of a second, the whole process
 * does nothing else. They are looked at one after the other, in a fifth of the time. @returns undefined where too many wait
 */
export async function strengthInTurn(password: string, ownWords: readonly string[]): Promise<Strength | undefined> {
  if (waiting >= MAX_WAITING) return undefined
  waiting += 1
  const estimated = turn.then(async () => {
    await (estimator ??= load())
    const began = performance.now()
    return { strength: await strengthOf(password, ownWords), milliseconds: performance.now() - began }
  })
  turn = estimated.then(
    async ({ milliseconds }) => sleep(milliseconds * REST_TIMES, undefined, { ref: false }),
    () => undefined,
  )
  try {
    return (await estimated).strength
  } finally {
    waiting -= 1
  }
}

async function guessesOf(password: string, ownWords: readonly string[]): Promise<number> {
  estimator ??= load()
  return (await estimator).check(password, ownWords.flatMap(partsOf)).guesses
}

async function load(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory: Factory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  return new Factory({ graphs: adjacencyGraphs, dictionary, maxLength: MAX_LOOKED_AT })
}

/** Between the words of a name, where it becomes a password. */
const SEPARATORS = ['', ' ', '-', '.', '_']

/** A name or an address, the words in it, and what is made of these. */
function partsOf(whole: string): string[] {
  const text = whole.slice(0, MAX_KNOWN_TEXT)
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  return [text, ...words, ...SEPARATORS.map((separator) => words.join(separator))].filter((part) => part.length > 2)
}
