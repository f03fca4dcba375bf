export const TICK_INTERVAL_MILLISECONDS = 100

export interface Timer {
  due: number | undefined
  checkedAt: number | undefined
}

/** Timer wheel for many timers that are reset often and rarely fire: postponing a timer costs nothing. */
export interface TimerWheel<Item extends Timer> {
  set(item: Item, milliseconds: number): void
  clear(item: Item): void
}

/** Clears each item's timer when it is due, then calls `fire` with the item. */
export function openTimerWheel<Item extends Timer>(fire: (item: Item) => void): TimerWheel<Item> {
  const ticks = new Map<number, Item[]>()
  let timer: NodeJS.Timeout | undefined
  let lastTick = 0

  const now = (): number => Math.floor(performance.now() / TICK_INTERVAL_MILLISECONDS)

  const schedule = (item: Item, tick: number): void => {
    item.checkedAt = tick
    const others = ticks.get(tick)
    if (others === undefined) ticks.set(tick, [item])
    else others.push(item)
  }

  const check = (item: Item, tick: number): void => {
    // The item was rescheduled to an earlier tick.
    if (item.checkedAt !== tick) return
    item.checkedAt = undefined
    if (item.due === undefined) return
    if (item.due > tick) {
      schedule(item, item.due)
      return
    }
    item.due = undefined
    fire(item)
  }

  const turn = (): void => {
    for (const last = now(); lastTick < last;) {
      lastTick += 1
      const items = ticks.get(lastTick) ?? []
      ticks.delete(lastTick)
      for (const item of items) check(item, lastTick)
    }
    if (ticks.size > 0 || timer === undefined) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    set(item, milliseconds) {
      if (timer === undefined) {
        lastTick = now()
        timer = setInterval(turn, TICK_INTERVAL_MILLISECONDS)
      }
      const due = Math.max(now(), lastTick) + Math.max(1, Math.ceil(milliseconds / TICK_INTERVAL_MILLISECONDS))
      item.due = due
      if (item.checkedAt === undefined || item.checkedAt > due) schedule(item, due)
    },
    clear(item) {
      item.due = undefined
    },
  }
}
