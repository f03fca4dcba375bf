/** How exact alarms are. */
export const TICK_MILLISECONDS = 100

/** What an alarm can be set for; the alarms alone look at and change these. */
export interface Alarmed {
  /** The tick at which its alarm rings; undefined where none is set. */
  due: number | undefined
  /** The tick at which it is looked at next, which may be earlier than it is due. */
  lookedAt: number | undefined
}

/**
 * Alarms of very many that are set and cleared again and again and hardly ever ring: one timer for all, and nothing
 * to do for an alarm that is set later than it was before.
 */
export interface Alarms<Item extends Alarmed> {
  /** In the place of an earlier alarm of the item. */
  set(item: Item, milliseconds: number): void
  clear(item: Item): void
}

/** @param ring is called with each item whose time has come, which is then no longer set */
export function openAlarms<Item extends Alarmed>(ring: (item: Item) => void): Alarms<Item> {
  const ticks = new Map<number, Item[]>()
  let timer: NodeJS.Timeout | undefined
  /** Everything up to this tick has rung. */
  let rung = 0

  const now = (): number => Math.floor(performance.now() / TICK_MILLISECONDS)

  const lookAt = (item: Item, tick: number): void => {
    item.lookedAt = tick
    const others = ticks.get(tick)
    if (others === undefined) ticks.set(tick, [item])
    else others.push(item)
  }

  const look = (item: Item, tick: number): void => {
    // An alarm that was set to ring earlier is looked at then.
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
