import { isIPv6 } from 'node:net'
import { Refusal } from '../../kernel/refusal.ts'
import { steadySeconds } from '../../kernel/steady-time.ts'

/** At most `count` in `seconds`. */
export interface RateLimit {
  readonly count: number
  readonly seconds: number
}

export interface RateVerdict {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  /** UNIX seconds at which the window ends. */
  readonly resetAt: number
  /** Seconds until it does. */
  readonly retryAfter: number
}

/** Keys remembered at once; when there are more, the window that began first is forgotten. */
const MAX_KEYS = 100_000

/** How often a key was used in its window, which ends so many seconds later. */
export interface KeyCount {
  readonly key: string
  readonly used: number
  readonly left: number
}

export interface RateLimiter {
  /** Counts one use. */
  use(key: string): RateVerdict
  /** Whether one more use would be allowed. */
  look(key: string): RateVerdict
  /** Hears what another node has counted. */
  heard(node: number, count: KeyCount): void
}

interface Window {
  /** Here. */
  used: number
  /** How many of these the other nodes were told of. */
  told: number
  /** What others have counted, by node; undefined while none has said anything. */
  others: Map<number, number> | undefined
  elsewhere: number
  endsAt: number
}

/** The part of a limit from which on a node tells the others what it counts: few come as far. */
const TOLD_FROM = 1 / 4
/** The part of a limit that it counts before it tells them again. */
const TOLD_EACH = 1 / 20

export interface RateLimiterOptions {
  /** The time in seconds. */
  readonly now?: () => number
  readonly maxKeys?: number
  /** Tells the other nodes, where there are some. */
  readonly tell?: (count: KeyCount) => void
}

/**
 * Counts uses by key in windows that begin with the first use, in memory. Nodes tell each other what they have counted
 * (`sharedLimits`), and a window ends for all of them when it does for the first. What has to hold exactly, and after a restart, is counted by
 * `attemptLimiter`.
 */
export function rateLimiter(
  limit: RateLimit,
  { now = steadySeconds, maxKeys = MAX_KEYS, tell }: RateLimiterOptions = {},
): RateLimiter {
  // All windows last as long, or less, so they end about in the order in which they began.
  const windows = new Map<string, Window>()
  const [from, each] = [Math.ceil(limit.count * TOLD_FROM), Math.max(1, Math.floor(limit.count * TOLD_EACH))]

  const begin = (key: string, time: number, seconds: number): Window => {
    windows.delete(key)
    for (const [other, { endsAt }] of windows) {
      if (endsAt > time && windows.size < maxKeys) break
      windows.delete(other)
    }
    const window = { used: 0, told: 0, others: undefined, elsewhere: 0, endsAt: time + seconds }
    windows.set(key, window)
    return window
  }

  const windowOf = (key: string, time: number, seconds: number): Window => {
    const current = windows.get(key)
    return current !== undefined && current.endsAt > time ? current : begin(key, time, seconds)
  }

  const say = (key: string, window: Window, time: number): void => {
    window.told = window.used
    tell?.({ key, used: window.used, left: window.endsAt - time })
  }

  const verdictOn = (window: Window, time: number, allowed: boolean): RateVerdict => ({
    allowed,
    limit: limit.count,
    remaining: Math.max(0, limit.count - window.used - window.elsewhere),
    resetAt: Math.ceil(window.endsAt),
    retryAfter: window.endsAt - time,
  })

  return {
    use(key) {
      const time = now()
      const window = windowOf(key, time, limit.seconds)
      const allowed = window.used + window.elsewhere < limit.count
      if (allowed) {
        window.used += 1
        const isTold = window.used >= from || window.others !== undefined
        if (isTold && window.used - window.told >= each) say(key, window, time)
      }
      return verdictOn(window, time, allowed)
    },

    look(key) {
      const time = now()
      const window = windowOf(key, time, limit.seconds)
      return verdictOn(window, time, window.used + window.elsewhere < limit.count)
    },

    heard(node, { key, used, left }) {
      // What is left is a difference of large numbers.
      if (left <= 0 || left > limit.seconds + 1) return
      const time = now()
      const window = windowOf(key, time, Math.min(left, limit.seconds))
      window.endsAt = Math.min(window.endsAt, time + left)
      const isNews = window.others === undefined
      window.others ??= new Map<number, number>()
      window.elsewhere += Math.max(0, used - (window.others.get(node) ?? 0))
      window.others.set(node, Math.max(used, window.others.get(node) ?? 0))
      // Whoever asks here a little asks elsewhere much.
      if (isNews && window.used > window.told) say(key, window, time)
    },
  }
}

/** A refusal that tells when to come back, in its envelope and in the headers of the answer. */
export class RateLimitHit extends Refusal {
  readonly verdict: RateVerdict

  constructor(verdict: RateVerdict, message: string) {
    super('RATE_LIMIT_HIT', message, { 'retry-after': verdict.retryAfter })
    this.name = 'RateLimitHit'
    this.verdict = verdict
  }
}

export function rateLimitHeaders(verdict: RateVerdict): Record<string, string> {
  return {
    'x-ratelimit-limit': String(verdict.limit),
    'x-ratelimit-remaining': String(verdict.remaining),
    'x-ratelimit-reset': String(verdict.resetAt),
    ...(verdict.allowed ? {} : { 'retry-after': String(Math.ceil(verdict.retryAfter)) }),
  }
}

/** The hextets of an IPv6 address that a provider assigns; its customer has all addresses that begin with them. */
const NETWORK_HEXTETS = 4

/** The key under which an address is counted: itself, or its network where one customer has 2^64 addresses. */
export function addressKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  // Node takes 8 ms to ask for the first time.
  if (!address.includes(':') || !isIPv6(address)) return address
  const [left = '', right] = address.split('::')
  const head = left === '' ? [] : left.split(':')
  const tail = right === undefined || right === '' ? [] : right.split(':')
  // A dotted quad at the end is two hextets; where it is, the zeros before it are the network.
  const zeros = right === undefined ? 0 : 8 - head.length - tail.length - (address.includes('.') ? 1 : 0)
  const hextets = [...head, ...Array<string>(zeros).fill('0'), ...tail]
  const network = hextets.slice(0, NETWORK_HEXTETS).map((hextet) => Number.parseInt(hextet, 16).toString(16))
  return `${network.join(':')}::/64`
}
