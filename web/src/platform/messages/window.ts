import { batch, signal } from '@preact/signals'
import type { Message } from '../../kernel/message.ts'
import type { Place } from '../../kernel/route.ts'
import type { Position } from '../cache.ts'
import type { Around } from './page.ts'

/** How many rows a list has at most before it drops those at its other end. */
export const MOST_ROWS = 300
/** So many messages that the browser has are shown of a search before the server is asked. */
const MOST_KEPT_FOUND = 50

/** A search of the messages that the browser has. */
export interface KeptSearch {
  readonly matches: (message: Message) => boolean
  /** Marks in a message what was found. */
  readonly mark: (message: Message) => Mark
}

/** The HTML of a message and of its topic in which a search marked what it found. */
export interface Mark {
  readonly content: string
  readonly topic: string
}

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
  /** It failed since the server could not be reached, and not since it refused. */
  readonly isOutOfReach = signal(false)
  /** It failed for now: the server could not be reached, or was too busy, so that it is tried again. */
  isPassing = false
  /** The message at which the list opens: the one that was asked for, the first unread one, or where the reader was. */
  readonly anchor = signal<{ readonly id: number; readonly offset?: number } | undefined>(undefined)
  /** Where the reader is, or was last; undefined at the newest message. */
  position: Position | undefined
  /** A list shows it. */
  isOpen = false
  /** The first unread message when the window was opened: the divider stays there until one leaves. */
  readonly divider = signal<number | undefined>(undefined)
  /** Something was missed, so that it has to be read again. */
  readonly stale = signal(false)
  /** The position of the log at which the window was read last; undefined while it is read, and before. */
  readAt: number | undefined
  /** Counts the readings from which the list was built anew, and not continued. */
  readonly openings = signal(0)

  /** Of a search: it shows what the browser has, since the server was not asked yet or could not be reached. */
  readonly isOfKept = signal(false)
  /** Of a search: what it marked in messages, by their ids. */
  readonly marks = signal<ReadonlyMap<number, Mark>>(new Map())
  readonly search: KeptSearch | undefined

  constructor(place: Place, search?: KeptSearch) {
    this.place = place
    this.search = search
  }

  /** Forgets marks in a content that is no longer that of the message. */
  unmark(id: number): void {
    if (!this.marks.value.has(id)) return
    const marks = new Map(this.marks.value)
    marks.delete(id)
    this.marks.value = marks
  }

  /** Shows what a search finds among the messages that the browser has. */
  showKept(all: readonly Message[], { matches, mark }: KeptSearch): void {
    const shown = all
      .filter(matches)
      .toSorted((one, other) => one.id - other.id)
      .slice(-MOST_KEPT_FOUND)
    this.isOfKept.value = true
    this.ids.value = shown.map(({ id }) => id)
    this.marks.value = new Map(shown.map((message) => [message.id, mark(message)]))
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

  /**
   * Shows other messages. What the browser found of a search stays among them, as far as the server has searched: it finds
   * words of which the end is not typed yet.
   */
  replace(ids: readonly number[], ends: { readonly found_oldest: boolean; readonly found_newest: boolean }): void {
    const [first = 0, last = 0] = [ids[0], ids.at(-1)]
    const isBetween = (id: number): boolean => (ends.found_oldest || id > first) && (ends.found_newest || id < last)
    const kept = this.isOfKept.value ? this.ids.value.filter(isBetween) : []
    this.ids.value = kept.length === 0 ? ids : [...new Set([...ids, ...kept])].toSorted((a, b) => a - b)
  }

  remove(gone: (id: number) => boolean): void {
    if (!this.ids.value.some(gone)) return
    for (const id of this.ids.value) if (gone(id)) this.unmark(id)
    this.ids.value = this.ids.value.filter((id) => !gone(id))
    // Nothing is left from which to read on.
    const isWhole = this.isOfKept.value || (this.atOldest.value && this.atNewest.value)
    if (this.ids.value.length === 0 && !isWhole) this.stale.value = true
  }

  /** Shows that there is nothing. */
  empty(): void {
    this.ids.value = []
    this.atOldest.value = true
    this.atNewest.value = true
    this.stale.value = false
    this.position = undefined
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

export function anchorOf(around: Around, { anchor }: { readonly anchor?: number | undefined }): number | undefined {
  if (typeof around === 'number') return around
  return typeof around === 'object' ? anchor : undefined
}

/** Says where a window that one comes to begins. */
export function reopen(window: MessageWindow, firstUnread: number | undefined, near: number | undefined): void {
  batch(() => {
    window.divider.value = firstUnread
    const at = near ?? firstUnread
    window.anchor.value = at === undefined ? window.position : { id: at }
    window.openings.value += 1
  })
}

/** Whether all of a window is on its way. */
export function isBeingRead(window: MessageWindow): boolean {
  return window.loading.peek() === 'all' && window.readAt === undefined
}

/** Whether what it has is to be shown when one comes to it again: nothing is known to be missing that could be read. */
export function isSound({ stale, failed, isPassing, ids }: MessageWindow): boolean {
  return !stale.peek() && (!failed.peek() || (isPassing && ids.peek().length > 0))
}
