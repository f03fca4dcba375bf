type TurnCallback = (came: boolean) => void

/** Creates a queue in which owners take turns. A full queue drops the newest job of the owner with the most jobs. */
export function createFairQueue(
  maxAtOnce: number,
  maxWaiting: number,
  refuse: () => never,
  maxPerOwner = maxAtOnce,
): <Result>(work: () => Promise<Result>, who?: string) => Promise<Result> {
  /** Waiting jobs by owner, in the order of turns; no list is empty. */
  const waiting = new Map<string, TurnCallback[]>()
  let waitingCount = 0
  const owned = new Map<string, number>()
  let running = 0

  const mayRun = (who: string): boolean => (owned.get(who) ?? 0) < maxPerOwner
  const begin = (who: string): void => void owned.set(who, (owned.get(who) ?? 0) + 1)
  const end = (who: string): void => {
    const count = owned.get(who) ?? 0
    if (count > 1) owned.set(who, count - 1)
    else owned.delete(who)
  }

  const dropWaitingOf = (who: string): boolean => {
    const [most, turns] = [...waiting].reduce((one, other) => (other[1].length > one[1].length ? other : one))
    if (turns.length <= (waiting.get(who)?.length ?? 0) + 1) return false
    waitingCount -= 1
    turns.pop()?.(false)
    if (turns.length === 0) waiting.delete(most)
    return true
  }

  const wait = async (who: string): Promise<boolean> => {
    if (waitingCount >= maxWaiting && !dropWaitingOf(who)) return false
    waitingCount += 1
    return new Promise((resolve) => {
      const turns = waiting.get(who)
      if (turns === undefined) waiting.set(who, [resolve])
      else turns.push(resolve)
    })
  }

  /** Passes a turn on directly, so that new jobs cannot overtake waiting jobs. */
  const startNext = (): void => {
    const next = findNextRunnable(waiting, mayRun)
    if (next === undefined) {
      running -= 1
      return
    }
    const [who, turns] = next
    begin(who)
    waitingCount -= 1
    turns.shift()?.(true)
    waiting.delete(who)
    if (turns.length > 0) waiting.set(who, turns)
  }

  return async (work, who = '') => {
    if (running < maxAtOnce && mayRun(who)) {
      running += 1
      begin(who)
    } else if (!(await wait(who))) refuse()
    try {
      return await work()
    } finally {
      end(who)
      startNext()
    }
  }
}

function findNextRunnable(
  waiting: ReadonlyMap<string, TurnCallback[]>,
  mayRun: (who: string) => boolean,
): readonly [string, TurnCallback[]] | undefined {
  for (const one of waiting) if (mayRun(one[0])) return one
  return undefined
}

/** A job that took long does not stop the others for longer. */
const MAX_REST_MILLISECONDS = 2_000

export interface PacedQueueOptions {
  readonly maxWaiting: number
  /** Time to rest after each job, as a multiple of the time that it took. */
  readonly restRatio: number
  readonly refuse: () => never
}

/** Creates a queue that runs one job of each owner at a time and then rests. Results do not wait for the rest. */
export function createPacedQueue({ maxWaiting, restRatio, refuse }: PacedQueueOptions) {
  const inTurn = createFairQueue(Infinity, maxWaiting, refuse, 1)
  return async <Result>(work: () => Promise<Result>, who: string): Promise<Result> =>
    new Promise((resolve, reject) => {
      const turn = inTurn(async () => {
        const began = performance.now()
        const working = work()
        working.then(resolve, reject)
        await working.catch(() => undefined)
        await rest(Math.min(MAX_REST_MILLISECONDS, restRatio * (performance.now() - began)))
      }, who)
      turn.catch(reject)
    })
}

async function rest(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref()
  })
}
