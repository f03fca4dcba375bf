import { batch, signal } from '@preact/signals'
import type { FoundMessage, Message, Term } from '../../kernel/message.ts'
import type { Place } from '../../kernel/route.ts'
import type { Position } from '../cache.ts'
import type { Anchor, PageKind } from './page.ts'

/** Maximum number of rows in a list. A list that grows beyond this number drops rows at its other end. */
export const MAX_WINDOW_ROWS = 300
const MAX_LOCAL_MATCHES = 50

/** Search that a window shows: first for local messages, then for pages of the server. */
export interface WindowSearch {
  readonly terms: readonly Term[]
  /** Whether the messages are in the order of the server's answer, and messages sent later are not added. */
  readonly isRanked: boolean
  readonly matches: (message: Message) => boolean
  readonly mark: (message: Message) => SearchMatch
  /** Returns the page to request instead. The API has no terms for dates, but pages can start at a date. */
  readonly startOf: (what: PageKind, around: Anchor) => readonly [PageKind, Anchor]
  /** Ends a page where the search's dates end. */
  readonly clip: <Page extends MessageRange>(page: Page, around: Anchor) => Page
}

export interface MessageRange {
  readonly messages: readonly FoundMessage[]
  readonly found_oldest: boolean
  readonly found_newest: boolean
}

export interface SearchMatch {
  readonly content: string
  readonly topic: string
}

/** Fields of a search result besides its messages. */
export interface SearchNotes {
  /** Words that nothing has, with the words that the server searched instead. */
  readonly search_corrections?:
    readonly { readonly word: string; readonly corrected_to: readonly string[] }[] | undefined
  /** Present if the server does not find some messages yet. */
  readonly search_incomplete?: true | undefined
  /** Present if the best of several matches are shown. */
  readonly search_ranking?: { readonly matches: number; readonly found_oldest: boolean } | undefined
}

/** A contiguous range of a place's messages. */
export class MessageWindow {
  place: Place
  readonly ids = signal<readonly number[]>([])
  readonly atOldest = signal(false)
  readonly atNewest = signal(false)
  /** Part that is being loaded, which must not be requested twice. */
  readonly loading = signal<'none' | 'all' | 'older' | 'newer'>('none')
  readonly failed = signal(false)
  /** Whether the read failed because the server was unreachable, rather than because it refused. */
  readonly isOutOfReach = signal(false)
  /** Whether the failure is temporary (unreachable or busy) and will be retried. */
  isPassing = false
  /** Message at which to open the window: the requested message, the first unread message, or the reading position. */
  readonly anchor = signal<{ readonly id: number; readonly offset?: number } | undefined>(undefined)
  /** Reading position; undefined at the newest message. */
  position: Position | undefined
  isOpen = false
  /** ID of the message that was the first unread one when the window opened; kept until the reader leaves. */
  readonly divider = signal<number | undefined>(undefined)
  readonly stale = signal(false)
  readAt: number | undefined
  /** Number of reads that rebuilt the list instead of extending it. */
  readonly openings = signal(0)

  /** Whether a search shows local matches because the server has not answered. */
  readonly isOfKept = signal(false)
  /** Highlights of a search, by message ID. */
  readonly marks = signal<ReadonlyMap<number, SearchMatch>>(new Map())
  readonly notes = signal<SearchNotes>({})
  readonly search: WindowSearch | undefined

  constructor(place: Place, search?: WindowSearch) {
    this.place = place
    this.search = search
  }

  unmark(id: number): void {
    if (!this.marks.value.has(id)) return
    const marks = new Map(this.marks.value)
    marks.delete(id)
    this.marks.value = marks
  }

  showLocalMatches(all: readonly Message[], { matches, mark }: WindowSearch): void {
    const shown = all
      .filter(matches)
      .toSorted((one, other) => one.id - other.id)
      .slice(-MAX_LOCAL_MATCHES)
    this.isOfKept.value = true
    this.ids.value = shown.map(({ id }) => id)
    this.marks.value = new Map(shown.map((message) => [message.id, mark(message)]))
  }

  /** Inserts IDs in order, without duplicates. */
  add(ids: readonly number[]): void {
    const known = this.ids.value
    const last = known.at(-1)
    const fresh = ids.filter((id) => !known.includes(id))
    if (fresh.length === 0 || this.search?.isRanked === true) return
    const first = fresh[0]
    this.ids.value =
      last === undefined || (first !== undefined && first > last && isAscending(fresh))
        ? [...known, ...fresh]
        : [...known, ...fresh].toSorted((a, b) => a - b)
  }

  /** Keeps local matches within the searched range, because only the local search also matches incomplete words. */
  replace(ids: readonly number[], ends: { readonly found_oldest: boolean; readonly found_newest: boolean }): void {
    const [first = 0, last = 0] = [ids[0], ids.at(-1)]
    const isBetween = (id: number): boolean => (ends.found_oldest || id > first) && (ends.found_newest || id < last)
    const kept = this.isOfKept.value && this.search?.isRanked !== true ? this.ids.value.filter(isBetween) : []
    this.ids.value = kept.length === 0 ? ids : [...new Set([...ids, ...kept])].toSorted((a, b) => a - b)
  }

  remove(gone: (id: number) => boolean): void {
    if (!this.ids.value.some(gone)) return
    for (const id of this.ids.value) if (gone(id)) this.unmark(id)
    this.ids.value = this.ids.value.filter((id) => !gone(id))
    // Reads an emptied window again, because it has no message from which to load more.
    const isWhole = this.isOfKept.value || (this.atOldest.value && this.atNewest.value)
    if (this.ids.value.length === 0 && !isWhole) this.stale.value = true
  }

  empty(): void {
    this.ids.value = []
    this.atOldest.value = true
    this.atNewest.value = true
    this.stale.value = false
    this.position = undefined
  }

  trim(keep: 'older' | 'newer'): void {
    const ids = this.ids.value
    if (ids.length <= MAX_WINDOW_ROWS) return
    if (keep === 'older') {
      this.ids.value = ids.slice(0, MAX_WINDOW_ROWS)
      this.atNewest.value = false
    } else {
      this.ids.value = ids.slice(-MAX_WINDOW_ROWS)
      this.atOldest.value = false
    }
  }
}

function isAscending(ids: readonly number[]): boolean {
  return ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? 0))
}

export function anchorMessageId(
  around: Anchor,
  { anchor }: { readonly anchor?: number | undefined },
): number | undefined {
  if (typeof around === 'number') return around
  return typeof around === 'object' ? anchor : undefined
}

export function reopenWindow(window: MessageWindow, firstUnread: number | undefined, near: number | undefined): void {
  batch(() => {
    window.divider.value = firstUnread
    const at = near ?? firstUnread
    window.anchor.value = at === undefined ? window.position : { id: at }
    window.openings.value += 1
  })
}

export function isFirstPageLoading(window: MessageWindow): boolean {
  return window.loading.peek() === 'all' && window.readAt === undefined
}

/** Whether the window can be shown again: no messages are missing, except because of a temporary failure. */
export function isReusable({ stale, failed, isPassing, ids }: MessageWindow): boolean {
  return !stale.peek() && (!failed.peek() || (isPassing && ids.peek().length > 0))
}
