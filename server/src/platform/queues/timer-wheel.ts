export const TICK_MILLISECONDS = 100

export interface Timer {
  due: number | undefined
  lookedAt: number | undefined
}

/** Timer wheel for many timers that are reset often and rarely fire: postponing a timer costs nothing. */
export interface TimerWheel<Item extends Timer> {
  set(item: Item, milliseconds: number): void
  clear(item: Item): void
}

/** `ring` gets each due item, whose timer is cleared. */
export function openTimerWheel<Item extends Timer>(ring: (item: Item) => void): TimerWheel<Item> {
  const ticks = new Map<number, Item[]>()
  let timer: NodeJS.Timeout | undefined
  let rung = 0

  const now = (): number => Math.floor(performance.now() / TICK_MILLISECONDS)

  const lookAt = (item: Item, tick: number): void => {
    item.lookedAt = tick
    const others = ticks.get(tick)
    if (others === undefined) ticks.set(tick, [item])
    else others.push(item)
  }

  const look = (item: Item, tick: number): void => {
    // The item was rescheduled to an earlier tick.
    if (item.lookedAt !== tick) return
    item.lookedAt = undefined
    if (item.due === undefined) return
    if (item.due > tick) {
      lookAt(item, item.due)
      return
    }
    item.due = undefined
    ring(item)
  }

  const turn = (): void => {
    for (const last = now(); rung < last;) {
      rung += 1
      const items = ticks.get(rung) ?? []
      ticks.delete(rung)
      for (const item of items) look(item, rung)
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
      const due = Math.max(now(), rung) + Math.max(1, Math.ceil(milliseconds / TICK_MILLISECONDS))
      item.due = due
      if (item.lookedAt === undefined || item.lookedAt > due) lookAt(item, due)
    },
    clear(item) {
      item.due = undefined
    },
  }
}
