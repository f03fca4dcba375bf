/** Settles with whether the turn came; false if the work was refused to make room. */
type Turn = (came: boolean) => void

/**
 * Runs pieces of work, few at once; the others wait. Those who have work take turns, so that somebody with a little does
 * not wait for somebody with much.
 * @param maxWaiting number of pieces that may wait; one more, and the person with the most waiting loses the last of theirs
 * @param refuse throws what refused work fails with
 */
export function takingTurns(
  maxAtOnce: number,
  maxWaiting: number,
  refuse: () => never,
): <Result>(work: () => Promise<Result>, who?: string) => Promise<Result> {
  /** In the order of their turns; none is empty. */
  const waiting = new Map<string, Turn[]>()
  let waitingCount = 0
  let running = 0

  const makeRoomFor = (who: string): boolean => {
    const [most, turns] = [...waiting].reduce((one, other) => (other[1].length > one[1].length ? other : one))
    if (turns.length <= (waiting.get(who)?.length ?? 0) + 1) return false
    waitingCount -= 1
    turns.pop()?.(false)
    if (turns.length === 0) waiting.delete(most)
    return true
  }

  const wait = async (who: string): Promise<boolean> => {
    if (waitingCount >= maxWaiting && !makeRoomFor(who)) return false
    waitingCount += 1
    return new Promise((resolve) => {
      const turns = waiting.get(who)
      if (turns === undefined) waiting.set(who, [resolve])
      else turns.push(resolve)
    })
  }

  /** Hands a turn that ends on, so that work that comes meanwhile is not faster. */
  const passOn = (): void => {
    const [next] = waiting
    if (next === undefined) {
      running -= 1
      return
    }
    const [who, turns] = next
    waitingCount -= 1
    turns.shift()?.(true)
    waiting.delete(who)
    if (turns.length > 0) waiting.set(who, turns)
  }

  return async (work, who = '') => {
    if (running < maxAtOnce) running += 1
    else if (!(await wait(who))) refuse()
    try {
      return await work()
    } finally {
      passOn()
    }
  }
}
