/**
 * Runs pieces of work, few at once; the others wait for their turn, in order.
 * @param maxWaiting more than so many that wait are not taken
 * @param refuse throws what such a piece of work fails with
 */
export function takingTurns(
  maxAtOnce: number,
  maxWaiting: number,
  refuse: () => never,
): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= maxAtOnce) {
      if (waiting.length >= maxWaiting) refuse()
      // A turn that ends is handed on, so that work that comes meanwhile is not faster.
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
      })
    } else {
      running += 1
    }
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
