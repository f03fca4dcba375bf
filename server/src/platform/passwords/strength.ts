import { once } from 'node:events'
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { ApiError } from '../../kernel/refusal.ts'
import { createFairQueue } from '../turns.ts'

/** Passwords that take fewer guesses are refused; clients receive this number as `password_min_guesses`. */
export const MIN_GUESSES = 10_000

/** A `good` password withstands fast guessing, a `strong` one for years. */
const GUESSES_OF = { strong: 1e10, good: 1e8, fair: MIN_GUESSES } as const

export type Strength = keyof typeof GUESSES_OF | 'weak'

export interface Estimate {
  readonly password: string
  /** Texts that a password must not consist of. */
  readonly knownTexts: readonly string[]
}

const MAX_WAITING = 30

/** Limit: an estimate takes up to 0.1 s of one core, and anyone can request estimates. */
const inTurn = createFairQueue(1, MAX_WAITING, () => {
  throw new ApiError('RATE_LIMIT_HIT', 'Too many passwords are being set. Try again later.', { 'retry-after': 1 })
})

/** Estimates one password at a time, fairly for each `who`, such as a client address. */
export async function strengthOf(password: string, ownWords: readonly string[], who: string): Promise<Strength> {
  const guesses = await guessesOf(password, ownWords, who)
  if (guesses >= GUESSES_OF.strong) return 'strong'
  if (guesses >= GUESSES_OF.good) return 'good'
  return guesses >= GUESSES_OF.fair ? 'fair' : 'weak'
}

/** Whether a password is common, a keyboard pattern, or based on personal words. @throws ApiError RATE_LIMIT_HIT */
export async function isGuessable(password: string, ownWords: readonly string[], who: string): Promise<boolean> {
  return (await guessesOf(password, ownWords, who)) < MIN_GUESSES
}

async function guessesOf(password: string, ownWords: readonly string[], who: string): Promise<number> {
  return inTurn(async () => estimateInThread({ password, knownTexts: ownWords.flatMap(partsOf) }), who)
}

/** Idle time after which the thread ends: its word lists take 20 MB, and most processes rarely use them. */
const IDLE_SECONDS = 60
const WORKER = '#server/src/platform/passwords/strength-worker.js'

let thread: Worker | undefined
let idleTimer: NodeJS.Timeout | undefined

async function estimateInThread(estimate: Estimate): Promise<number> {
  clearTimeout(idleTimer)
  // The thread needs no secrets.
  thread ??= new Worker(createRequire(import.meta.url).resolve(WORKER), { env: {}, execArgv: [] })
  const asked = thread
  asked.ref()
  try {
    asked.postMessage(estimate)
    const answer: unknown[] = await once(asked, 'message')
    const [guesses] = answer
    if (typeof guesses !== 'number') throw new Error('the thread sent no number')
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

/** Limit, because the time grows much faster than the length. */
const MAX_KNOWN_TEXT = 300

const SEPARATORS = ['', ' ', '-', '.', '_']

function partsOf(whole: string): string[] {
  const text = whole.slice(0, MAX_KNOWN_TEXT)
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  return [text, ...words, ...SEPARATORS.map((separator) => words.join(separator))].filter((part) => part.length > 2)
}
