import { signal } from '@preact/signals'
import type { Place } from '../../kernel/route.ts'

/** How many messages one request asks for, and how many rows a list has at most before it drops those at its other end. */
export const PAGE = 60
export const MOST_ROWS = 300

/** A stretch of the messages of a place, without gaps. */
export class MessageWindow {
  readonly place: Place
  /** Ascending. */
  readonly ids = signal<readonly number[]>([])
  readonly atOldest = signal(false)
  readonly atNewest = signal(false)
  /** What is on its way, so that nothing is asked twice. */
  readonly loading = signal<'none' | 'all' | 'older' | 'newer'>('none')
  readonly failed = signal(false)
  /** The message at which the list opens: the first unread one, or the one that was asked for. */
  readonly anchor = signal<number | undefined>(undefined)
  /** The first unread message when the window was opened: the divider stays there until one leaves. */
  readonly divider = signal<number | undefined>(undefined)
  /** Something was missed, so that it has to be read again. */
  readonly stale = signal(false)
  /** Counts the readings from which the list was built anew, and not continued. */
  readonly openings = signal(0)

  constructor(place: Place) {
    this.place = place
  }

  /** Puts ids into their places, without repeating any. */
  add(ids: readonly number[]): void {
    const known = this.ids.value
    const last = known.at(-1)
    const fresh = ids.filter((id) => !known.includes(id))
    if (fresh.length === 0) return
    const first = fresh[0]
    // Nearly always they follow what is there.
    this.ids.value =
      last === undefined || (first !== undefined && first > last && isAscending(fresh))
        ? [...known, ...fresh]
        : [...known, ...fresh].toSorted((a, b) => a - b)
  }

  remove(gone: (id: number) => boolean): void {
    if (this.ids.value.some(gone)) this.ids.value = this.ids.value.filter((id) => !gone(id))
  }

  /** Drops rows at the end that the reader is not at. */
  trim(keep: 'older' | 'newer'): void {
    const ids = this.ids.value
    if (ids.length <= MOST_ROWS) return
    if (keep === 'older') {
      this.ids.value = ids.slice(0, MOST_ROWS)
      this.atNewest.value = false
    } else {
      this.ids.value = ids.slice(-MOST_ROWS)
      this.atOldest.value = false
    }
  }
}

function isAscending(ids: readonly number[]): boolean {
  return ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? 0))
}
