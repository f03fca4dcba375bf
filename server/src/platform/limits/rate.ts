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

/** Keys remembered at once; when there are more, windows that have ended are dropped first, then the oldest. */
const MAX_KEYS = 100_000

export interface RateLimiter {
  /** Counts one use. */
  use(key: string): RateVerdict
  /** Looks without counting. */
  peek(key: string): RateVerdict
  forget(key: string): void
}

/** Counts uses by key in windows that begin with the first use. In memory: a limit holds for each server process. */
export function rateLimiter(limit: RateLimit, now: () => number = () => Date.now() / 1000): RateLimiter {
  const windows = new Map<string, { used: number; endsAt: number }>()

  const windowOf = (key: string): { used: number; endsAt: number } => {
    const current = windows.get(key)
    if (current !== undefined && current.endsAt > now()) return current
    return { used: 0, endsAt: now() + limit.seconds }
  }
  const verdict = (window: { used: number; endsAt: number }, allowed: boolean): RateVerdict => ({
    allowed,
    limit: limit.count,
    remaining: Math.max(0, limit.count - window.used),
    resetAt: Math.ceil(window.endsAt),
    retryAfter: Math.max(0, window.endsAt - now()),
  })
  const makeRoom = (): void => {
    for (const [key, window] of windows) if (window.endsAt <= now()) windows.delete(key)
    for (const key of windows.keys()) {
      if (windows.size < MAX_KEYS) return
      windows.delete(key)
    }
  }

  return {
    use(key) {
      const window = windowOf(key)
      const allowed = window.used < limit.count
      if (allowed) window.used += 1
      if (!windows.has(key) && windows.size >= MAX_KEYS) makeRoom()
      windows.set(key, window)
      return verdict(window, allowed)
    },
    peek(key) {
      const window = windowOf(key)
      return verdict(window, window.used < limit.count)
    },
    forget(key) {
      windows.delete(key)
    },
  }
}
