import type { Route } from '../capability.ts'

/*
 * Requests of one account take turns, few at once, so that others are answered between them: two hundred searches that come
 * together would otherwise all be with the database, and then all be serialized, before anybody else's next request.
 */

/**
 * Requests of an account that are answered at once, of each kind: what only reads does not wait behind what waits to write. What is
 * written together, as messages are, costs little, and less in larger batches.
 */
const MOST_AT_ONCE = { reading: 2, writing: 4, together: 16, tools: 2 } as const

export type TurnKind = keyof typeof MOST_AT_ONCE

/** Undefined for what waits for something itself: for events, or for a file to be stored. */
export function turnKindOf({ kind, endpoint: { method, file, stream } }: Route): TurnKind | undefined {
  if (file !== undefined || stream !== undefined) return undefined
  if (method === 'GET') return 'reading'
  return kind === 'direct' ? 'together' : 'writing'
}

/** The requests of an account, of one kind. */
interface Line {
  running: number
  readonly waiting: (() => void)[]
}

export class AccountTurns {
  readonly #lines = new Map<string, Line>()

  /**
   * Answers a request when its turn comes, at once where nothing is before it.
   * @param work is told whether it had to wait: what was known of the account may have changed
   */
  run<Result>(
    kind: TurnKind,
    { organizationId, userId }: { readonly organizationId: number; readonly userId: number },
    work: (hasWaited: boolean) => Result | Promise<Result>,
  ): Result | Promise<Result> {
    const key = `${kind} ${organizationId}/${userId}`
    const line = this.#lines.get(key) ?? { running: 0, waiting: [] }
    this.#lines.set(key, line)
    if (line.running < MOST_AT_ONCE[kind]) {
      line.running += 1
      return this.#do(key, line, () => work(false))
    }
    const turn = new Promise<void>((resolve) => {
      line.waiting.push(resolve)
    })
    return turn.then(() => this.#do(key, line, () => work(true)))
  }

  #do<Result>(key: string, line: Line, work: () => Result | Promise<Result>): Result | Promise<Result> {
    let result: Result | Promise<Result>
    try {
      result = work()
    } catch (error) {
      this.#leave(key, line)
      throw error
    }
    if (result instanceof Promise) return result.finally(() => this.#leave(key, line))
    this.#leave(key, line)
    return result
  }

  #leave(key: string, line: Line): void {
    const next = line.waiting.shift()
    if (next === undefined) {
      line.running -= 1
      if (line.running === 0) this.#lines.delete(key)
    } else {
      // Others who arrived meanwhile come before it.
      setImmediate(next)
    }
  }
}
