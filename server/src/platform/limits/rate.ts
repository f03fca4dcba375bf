import { isIPv6 } from 'node:net'
import { ApiError } from '../../kernel/refusal.ts'
import { steadySeconds } from '../../kernel/steady-time.ts'

export interface RateLimit {
  readonly count: number
  readonly seconds: number
}

export interface RateVerdict {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  readonly resetAt: number
  readonly retryAfterSeconds: number
}

const MAX_TRACKED_KEYS = 100_000

export interface KeyCount {
  readonly key: string
  readonly used: number
  readonly left: number
}

export interface RateLimiter {
  use(key: string): RateVerdict
  peek(key: string): RateVerdict
  addFromNode(node: number, count: KeyCount): void
}

interface RateWindow {
  used: number
  reportedUses: number
  others: Map<number, number> | undefined
  usesElsewhere: number
  endsAt: number
}

/** Fraction of a limit from which counts are reported; few keys reach it. */
const REPORT_FROM_FRACTION = 1 / 4
const REPORT_INTERVAL_FRACTION = 1 / 20

export interface RateLimiterOptions {
  readonly now?: () => number
  readonly maxKeys?: number
  readonly report?: (count: KeyCount) => void
}

/** Counts in memory, approximately. All nodes end a key's window together. `attemptLimiter` is exact and persistent. */
export function rateLimiter(
  limit: RateLimit,
  { now = steadySeconds, maxKeys = MAX_TRACKED_KEYS, report }: RateLimiterOptions = {},
): RateLimiter {
  // Ordered by start time, and roughly by end time.
  const windows = new Map<string, RateWindow>()
  const [from, each] = [
    Math.ceil(limit.count * REPORT_FROM_FRACTION),
    Math.max(1, Math.floor(limit.count * REPORT_INTERVAL_FRACTION)),
  ]

  const begin = (key: string, time: number, seconds: number): RateWindow => {
    windows.delete(key)
    for (const [other, { endsAt }] of windows) {
      if (endsAt > time && windows.size < maxKeys) break
      windows.delete(other)
    }
    const window = { used: 0, reportedUses: 0, others: undefined, usesElsewhere: 0, endsAt: time + seconds }
    windows.set(key, window)
    return window
  }

  const windowOf = (key: string, time: number, seconds: number): RateWindow => {
    const current = windows.get(key)
    return current !== undefined && current.endsAt > time ? current : begin(key, time, seconds)
  }

  const reportUsage = (key: string, window: RateWindow, time: number): void => {
    window.reportedUses = window.used
    report?.({ key, used: window.used, left: window.endsAt - time })
  }

  const verdictOn = (window: RateWindow, time: number, allowed: boolean): RateVerdict => ({
    allowed,
    limit: limit.count,
    remaining: Math.max(0, limit.count - window.used - window.usesElsewhere),
    resetAt: Math.ceil(window.endsAt),
    retryAfterSeconds: window.endsAt - time,
  })

  return {
    use(key) {
      const time = now()
      const window = windowOf(key, time, limit.seconds)
      const allowed = window.used + window.usesElsewhere < limit.count
      if (allowed) {
        window.used += 1
        const isReported = window.used >= from || window.others !== undefined
        if (isReported && window.used - window.reportedUses >= each) reportUsage(key, window, time)
      }
      return verdictOn(window, time, allowed)
    },

    peek(key) {
      const time = now()
      const window = windowOf(key, time, limit.seconds)
      return verdictOn(window, time, window.used + window.usesElsewhere < limit.count)
    },

    addFromNode(node, { key, used, left }) {
      // Allows for rounding: `left` is a difference of large numbers.
      if (left <= 0 || left > limit.seconds + 1) return
      const time = now()
      const window = windowOf(key, time, Math.min(left, limit.seconds))
      window.endsAt = Math.min(window.endsAt, time + left)
      const isNews = window.others === undefined
      window.others ??= new Map<number, number>()
      window.usesElsewhere += Math.max(0, used - (window.others.get(node) ?? 0))
      window.others.set(node, Math.max(used, window.others.get(node) ?? 0))
      // A client with few requests here can have many on other nodes.
      if (isNews && window.used > window.reportedUses) reportUsage(key, window, time)
    },
  }
}

export class RateLimitError extends ApiError {
  readonly verdict: RateVerdict

  constructor(verdict: RateVerdict, message: string) {
    super('RATE_LIMIT_HIT', message, { 'retry-after': verdict.retryAfterSeconds })
    this.name = 'RateLimitError'
    this.verdict = verdict
  }
}

export function rateLimitHeaders(verdict: RateVerdict): Record<string, string> {
  return {
    'x-ratelimit-limit': String(verdict.limit),
    'x-ratelimit-remaining': String(verdict.remaining),
    'x-ratelimit-reset': String(verdict.resetAt),
    ...(verdict.allowed ? {} : { 'retry-after': String(Math.ceil(verdict.retryAfterSeconds)) }),
  }
}

/** Prefix length of the IPv6 network that one customer usually gets. */
const NETWORK_HEXTETS = 4

/** Returns the address, or its /64 network for IPv6. */
export function addressKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  // Avoids isIPv6, whose first call takes 8 ms, if the address has no colon.
  if (!address.includes(':') || !isIPv6(address)) return address
  const [left = '', right] = address.split('::')
  const head = left === '' ? [] : left.split(':')
  const tail = right === undefined || right === '' ? [] : right.split(':')
  // A trailing dotted quad counts as two hextets.
  const zeros = right === undefined ? 0 : 8 - head.length - tail.length - (address.includes('.') ? 1 : 0)
  const hextets = [...head, ...Array<string>(zeros).fill('0'), ...tail]
  const network = hextets.slice(0, NETWORK_HEXTETS).map((hextet) => Number.parseInt(hextet, 16).toString(16))
  return `${network.join(':')}::/64`
}
