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

export interface RateLimiter {
  /** Counts one use. */
  use(key: string): RateVerdict
}

interface Window {
  used: number
  readonly endsAt: number
}

/**
 * Counts uses by key in windows that begin with the first use. In memory: a limit holds for each server process. What has to hold for
 * all of them is counted by `attemptLimiter`.
 * @param now the time in seconds
 */
export function rateLimiter(limit: RateLimit, now: () => number = steadySeconds, maxKeys = MAX_KEYS): RateLimiter {
  // All windows last as long, so in the order in which they began they also end.
  const windows = new Map<string, Window>()

  const begin = (key: string, time: number): Window => {
    windows.delete(key)
    for (const [other, { endsAt }] of windows) {
      if (endsAt > time && windows.size < maxKeys) break
      windows.delete(other)
    }
    const window = { used: 0, endsAt: time + limit.seconds }
    windows.set(key, window)
    return window
  }

  return {
    use(key) {
      const time = now()
      const current = windows.get(key)
      const window = current !== undefined && current.endsAt > time ? current : begin(key, time)
      const allowed = window.used < limit.count
      if (allowed) window.used += 1
      return {
        allowed,
        limit: limit.count,
        remaining: limit.count - window.used,
        resetAt: Math.ceil(window.endsAt),
        retryAfter: window.endsAt - time,
      }
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
