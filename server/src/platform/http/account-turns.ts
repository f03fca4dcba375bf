import { beginRequest, endRequest, isResting, waitForTurn, pauseAfterLongStep } from '../../kernel/pauses.ts'
import type { Route } from '../capability.ts'

/* Limits each account: 200 simultaneous requests would otherwise occupy the database or this thread. */

/** Reads do not wait for writes. `together`: cheap requests; `tools`: mostly waiting; `open`: a whole snapshot. */
const MAX_CONCURRENT_REQUESTS = { reading: 2, open: 1, writing: 4, together: 16, tools: 2 } as const

const MAX_MILLISECONDS_PER_TURN = 10
/** Shorter requests are not counted, to save the cost of counting. */
const MIN_COUNTED_MILLISECONDS = 0.5

export type TurnKind = keyof typeof MAX_CONCURRENT_REQUESTS

/** Returns undefined for requests that mainly wait for events or a file upload. */
export function turnKindOf(route: Route): TurnKind | undefined {
  const { method, file, stream } = route.endpoint
  if (file !== undefined || stream !== undefined) return undefined
  if (method === 'GET') return 'reading'
  if (route.kind === 'open') return 'open'
  return route.kind === 'command' && !route.isPrepared ? 'writing' : 'together'
}

interface AccountQueue {
  running: number
  readonly waiting: (() => void)[]
}

interface TurnRequest {
  readonly account: string
  readonly key: string
  readonly line: AccountQueue
}

/** `Sent` is the result of sending the response, which can wait for a slow client. */
interface QueuedRequest<Result, Sent> {
  /** If `hasWaited`, the account may have changed during the wait. */
  readonly work: (hasWaited: boolean) => Result | Promise<Result>
  /** Sends the response. The turn does not wait for a returned promise. */
  readonly answer: (result: Result) => Sent | Promise<Sent>
}

export class AccountTurns {
  readonly #lines = new Map<string, AccountQueue>()
  /** Milliseconds that each account has used in this turn of the event loop. */
  readonly #used = new Map<string, number>()
  readonly #now: () => number

  /** @param now returns the time in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** @param account result of `turnOwner` */
  run<Result, Sent>(kind: TurnKind, account: string, job: QueuedRequest<Result, Sent>): Sent | Promise<Sent> {
    const key = `${kind} ${account}`
    const line = this.#lines.get(key) ?? this.#createLine(key, account)
    if (line.running < MAX_CONCURRENT_REQUESTS[kind]) {
      line.running += 1
      return this.#begin({ account, key, line }, job, false)
    }
    const turn = new Promise<void>((resolve) => {
      line.waiting.push(resolve)
    })
    return turn.then(() => this.#begin({ account, key, line }, job, true))
  }

  #createLine(key: string, account: string): AccountQueue {
    const line: AccountQueue = { running: 0, waiting: [] }
    this.#lines.set(key, line)
    beginRequest(account)
    return line
  }

  /** Waits if the account has used up its share of this turn of the event loop. */
  whenFree(account: string): Promise<void> | undefined {
    const hasUsedUp = (this.#used.get(account) ?? 0) >= MAX_MILLISECONDS_PER_TURN
    return hasUsedUp || isResting(account) ? waitForTurn(account) : undefined
  }

  #begin<Result, Sent>(place: TurnRequest, job: QueuedRequest<Result, Sent>, hasWaited: boolean): Sent | Promise<Sent> {
    const free = this.whenFree(place.account)
    return free === undefined ? this.#do(place, job, hasWaited) : free.then(() => this.#do(place, job, true))
  }

  #do<Result, Sent>(
    place: TurnRequest,
    { work, answer }: QueuedRequest<Result, Sent>,
    hasWaited: boolean,
  ): Sent | Promise<Sent> {
    let result: Result | Promise<Result>
    try {
      result = this.timed(place.account, () => work(hasWaited))
    } catch (error) {
      this.#leave(place)
      throw error
    }
    if (!(result instanceof Promise)) return this.#end(place, result, answer)
    return result.then(
      (value) => this.#end(place, value, answer),
      (error: unknown) => {
        this.#leave(place)
        throw error
      },
    )
  }

  #end<Result, Sent>(
    place: TurnRequest,
    result: Result,
    answer: QueuedRequest<Result, Sent>['answer'],
  ): Sent | Promise<Sent> {
    try {
      return this.timed(place.account, () => answer(result))
    } finally {
      this.#leave(place)
    }
  }

  /** Runs synchronous work, and counts its time as the account's. */
  timed<Result>(account: string, work: () => Result): Result {
    const began = this.#now()
    try {
      return work()
    } finally {
      const took = this.#now() - began
      if (took >= MIN_COUNTED_MILLISECONDS) {
        this.#count(account, took)
        pauseAfterLongStep(account, took)
      }
    }
  }

  #count(account: string, milliseconds: number): void {
    if (this.#used.size === 0) setImmediate(() => this.#used.clear())
    this.#used.set(account, (this.#used.get(account) ?? 0) + milliseconds)
  }

  #leave({ account, key, line }: TurnRequest): void {
    const next = line.waiting.shift()
    if (next === undefined) {
      line.running -= 1
      if (line.running > 0) return
      this.#lines.delete(key)
      endRequest(account)
    } else {
      setImmediate(next)
    }
  }
}
