/** How exact alarms are. */
const TICK_MILLISECONDS = 100

/** Alarms of very many that wait long, hardly ever to the end: one timer for all, and little to set and to clear. */
export interface Alarms<Item> {
  /** @returns the tick it rings at, by which it is cleared */
  set(item: Item, milliseconds: number): number
  clear(item: Item, tick: number): void
}

/** @param ring is called with each item whose time has come, which is then no longer set */
export function openAlarms<Item>(ring: (item: Item) => void): Alarms<Item> {
  const ticks = new Map<number, Set<Item>>()
  let timer: NodeJS.Timeout | undefined
  /** Everything up to this tick has rung. */
  let rung = 0

  const now = (): number => Math.floor(performance.now() / TICK_MILLISECONDS)

  const turn = (): void => {
    for (const last = now(); rung < last;) {
      rung += 1
      const due = ticks.get(rung)
      // One that rings may clear another.
      for (const item of due ?? []) {
        due?.delete(item)
        ring(item)
      }
      ticks.delete(rung)
    }
    if (ticks.size > 0 || timer === undefined) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    set(item, milliseconds) {
      if (timer === undefined) {
        rung = now()
        timer = setInterval(turn, TICK_MILLISECONDS)
      }
      const tick = Math.max(now(), rung) + Math.max(1, Math.ceil(milliseconds / TICK_MILLISECONDS))
      const due = ticks.get(tick)
      if (due === undefined) ticks.set(tick, new Set([item]))
      else due.add(item)
      return tick
    },
    clear(item, tick) {
      const due = ticks.get(tick)
      if (due?.delete(item) === true && due.size === 0) ticks.delete(tick)
    },
  }
}
