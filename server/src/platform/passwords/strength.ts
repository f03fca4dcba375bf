import { once } from 'node:events'
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { Refusal } from '../../kernel/refusal.ts'
import { takingTurns } from '../turns.ts'

/** A password that takes fewer guesses is refused; clients are told the number, as `password_min_guesses`. */
export const MIN_GUESSES = 10_000

/** How many guesses a password takes at least: a `good` one withstands fast guessing, a `strong` one for years. */
const GUESSES_OF = { strong: 1e10, good: 1e8, fair: MIN_GUESSES } as const

export type Strength = keyof typeof GUESSES_OF | 'weak'

/** A request to the thread, which answers with a number of guesses. */
export interface Estimate {
  readonly password: string
  /** Names and addresses that others know; a password must not be made of them. */
  readonly knownTexts: readonly string[]
}

const MAX_WAITING = 30

/** One at a time: an estimate takes up to a tenth of a second of one core, and anybody may ask for it. */
const inTurn = takingTurns(1, MAX_WAITING, () => {
  throw new Refusal('RATE_LIMIT_HIT', 'Too many people are choosing passwords right now.', { 'retry-after': 1 })
})

/** How hard a password is to guess. @param who whose turn it is, such as the address that asks */
export async function strengthOf(password: string, ownWords: readonly string[], who: string): Promise<Strength> {
  const guesses = await guessesOf(password, ownWords, who)
  if (guesses >= GUESSES_OF.strong) return 'strong'
  if (guesses >= GUESSES_OF.good) return 'good'
  return guesses >= GUESSES_OF.fair ? 'fair' : 'weak'
}

/**
 * Whether a password is guessed too easily: a common one, a pattern of keys, or made of the person's own words.
 * @throws Refusal RATE_LIMIT_HIT if too many wait
 */
export async function isGuessable(password: string, ownWords: readonly string[], who: string): Promise<boolean> {
  return (await guessesOf(password, ownWords, who)) < MIN_GUESSES
}

async function guessesOf(password: string, ownWords: readonly string[], who: string): Promise<number> {
  return inTurn(async () => estimateInThread({ password, knownTexts: ownWords.flatMap(partsOf) }), who)
}

/** Its word lists take 20 MB, and most processes need them rarely. */
const IDLE_SECONDS = 60
const WORKER = '#server/src/platform/passwords/strength-worker.js'

let thread: Worker | undefined
let idleTimer: NodeJS.Timeout | undefined

/** Asks the thread, which is started with the first password and ends when none has come for a while. */
async function estimateInThread(estimate: Estimate): Promise<number> {
  clearTimeout(idleTimer)
  // It needs no secret.
  thread ??= new Worker(createRequire(import.meta.url).resolve(WORKER), { env: {}, execArgv: [] })
  const asked = thread
  asked.ref()
  try {
    asked.postMessage(estimate)
    // The thread is ours and answers with a number; if it fails, `once` does.
    const [guesses] = (await once(asked, 'message')) as [number]
    asked.unref()
    idleTimer = setTimeout(endThread, IDLE_SECONDS * 1000).unref()
    return guesses
  } catch (error) {
    endThread()
    throw error
  }
}

function endThread(): void {
  void thread?.terminate()
  thread = undefined
}

/** How much counts of each text that others know: the time grows much faster than its length. */
const MAX_KNOWN_TEXT = 300

/** Between the words of a name, where it becomes a password. */
const SEPARATORS = ['', ' ', '-', '.', '_']

/** A name or an address, the words in it, and what is made of these. */
function partsOf(whole: string): string[] {
  const text = whole.slice(0, MAX_KNOWN_TEXT)
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  return [text, ...words, ...SEPARATORS.map((separator) => words.join(separator))].filter((part) => part.length > 2)
}
