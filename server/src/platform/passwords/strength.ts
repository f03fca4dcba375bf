import { once } from 'node:events'
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { ApiError } from '../../kernel/refusal.ts'
import { createFairQueue } from '../turns.ts'

/** Passwords that take fewer guesses are refused; clients receive this number as `password_min_guesses`. */
export const MIN_PASSWORD_GUESSES = 10_000

/** A `good` password withstands fast guessing; a `strong` password does so for years. */
const GUESSES_BY_STRENGTH = { strong: 1e10, good: 1e8, fair: MIN_PASSWORD_GUESSES } as const

export type Strength = keyof typeof GUESSES_BY_STRENGTH | 'weak'

export type Weakness = 'personal' | 'common' | 'pattern'

interface GuessEstimate {
  readonly guesses: number
  /** Dictionary or pattern of each part of the password. */
  readonly parts: readonly string[]
}

export interface EstimateRequest {
  readonly password: string
  /** Texts that a password must not consist of. */
  readonly knownTexts: readonly string[]
}

const MAX_WAITING_ESTIMATES = 30

/** Limited, because an estimate takes up to 0.1 s of one core, and anyone can request estimates. */
const estimateInTurn = createFairQueue(1, MAX_WAITING_ESTIMATES, () => {
  throw new ApiError('RATE_LIMIT_HIT', 'Too many passwords are being set. Try again later.', { 'retry-after': 1 })
})

interface PasswordRating {
  readonly strength: Strength
  readonly weakness: Weakness | null
}

/** Estimates one password at a time. Clients (`who`, such as an address) take turns. */
export async function ratePassword(
  password: string,
  ownWords: readonly string[],
  who: string,
): Promise<PasswordRating> {
  const { guesses, parts } = await estimateGuesses(password, ownWords, who)
  if (guesses < MIN_PASSWORD_GUESSES) return { strength: 'weak', weakness: findWeakness(parts) }
  const strength =
    guesses >= GUESSES_BY_STRENGTH.strong ? 'strong' : guesses >= GUESSES_BY_STRENGTH.good ? 'good' : 'fair'
  return { strength, weakness: null }
}

function findWeakness(parts: GuessEstimate['parts']): Weakness {
  if (parts.includes('userInputs')) return 'personal'
  return parts.every((part) => PATTERN_KINDS.has(part)) ? 'pattern' : 'common'
}

const PATTERN_KINDS: ReadonlySet<string> = new Set(['spatial', 'repeat', 'sequence', 'date', 'regex', 'bruteforce'])

/** Whether a password is common, a keyboard pattern, or based on personal words. @throws ApiError RATE_LIMIT_HIT */
export async function isGuessable(password: string, ownWords: readonly string[], who: string): Promise<boolean> {
  return (await estimateGuesses(password, ownWords, who)).guesses < MIN_PASSWORD_GUESSES
}

async function estimateGuesses(password: string, ownWords: readonly string[], who: string): Promise<GuessEstimate> {
  return estimateInTurn(async () => estimateInThread({ password, knownTexts: ownWords.flatMap(knownParts) }), who)
}

/** Idle time after which the thread ends: its word lists take 20 MB, and most processes rarely use them. */
const THREAD_IDLE_TIMEOUT_SECONDS = 60
const WORKER_MODULE = '#server/src/platform/passwords/strength-worker.js'

let thread: Worker | undefined
let idleTimer: NodeJS.Timeout | undefined

async function estimateInThread(estimate: EstimateRequest): Promise<GuessEstimate> {
  clearTimeout(idleTimer)
  // The thread needs no secrets.
  thread ??= new Worker(createRequire(import.meta.url).resolve(WORKER_MODULE), { env: {}, execArgv: [] })
  const asked = thread
  asked.ref()
  try {
    asked.postMessage(estimate)
    const answer: unknown[] = await once(asked, 'message')
    const [guessed] = answer
    if (!isGuessEstimate(guessed)) throw new Error('the thread sent no estimate')
    asked.unref()
    idleTimer = setTimeout(endThread, THREAD_IDLE_TIMEOUT_SECONDS * 1000).unref()
    return guessed
  } catch (error) {
    endThread()
    throw error
  }
}

function isGuessEstimate(answer: unknown): answer is GuessEstimate {
  return typeof answer === 'object' && answer !== null && 'guesses' in answer && 'parts' in answer
}

function endThread(): void {
  void thread?.terminate()
  thread = undefined
}

/** Limited, because the time for an estimate grows much faster than the length. */
const MAX_KNOWN_TEXT_CHARACTERS = 300

const WORD_SEPARATORS = ['', ' ', '-', '.', '_']

function knownParts(whole: string): string[] {
  const text = whole.slice(0, MAX_KNOWN_TEXT_CHARACTERS)
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  return [text, ...words, ...WORD_SEPARATORS.map((separator) => words.join(separator))].filter(
    (part) => part.length > 2,
  )
}
