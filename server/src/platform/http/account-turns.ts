import type { Route } from '../capability.ts'

/*
 * Limits concurrent requests of one account: otherwise, 200 simultaneous searches would occupy the database before any
 * other request.
 */

/** Reads never wait behind blocked writes. Batched writes (`together`) are cheap, and cheaper in larger batches. */
const MOST_AT_ONCE = { reading: 2, writing: 4, together: 16, tools: 2 } as const

export type TurnKind = keyof typeof MOST_AT_ONCE

/** Undefined for requests that wait for something else: events or a file upload. */
export function turnKindOf({ kind, endpoint: { method, file, stream } }: Route): TurnKind | undefined {
  if (file !== undefined || stream !== undefined) return undefined
  if (method === 'GET') return 'reading'
  return kind === 'direct' ? 'together' : 'writing'
}

interface Line {
  running: number
  readonly waiting: (() => void)[]
}

export class AccountTurns {
  readonly #lines = new Map<string, Line>()

  /** @param work receives whether it had to wait: in that case, the account may have changed */
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
      setImmediate(next)
    }
  }
}
