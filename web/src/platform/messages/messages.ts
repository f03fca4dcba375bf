import { ApiError, isFinal, type ApiEvent } from '@parley/client'
import { batch, signal, type Signal } from '@preact/signals'
import { placeKey, type Place } from '../../kernel/route.ts'
import type { StoredWindow, WindowsChange } from '../cache.ts'
import type { PredictedEvent, Sync } from '../sync/sync.ts'
import { narrowOf, type FoundMessage, type Message, type Term } from '../../kernel/message.ts'
import { MessageStore } from './message-store.ts'
import { initialAnchor, type Anchor, type PageKind } from './page.ts'
import { retryDelayAfter, readPage, readMessagesByIds, type PendingResponse } from './reading.ts'
import {
  anchorMessageId,
  isFirstPageLoading,
  isReusable,
  MessageWindow,
  reopenWindow,
  type SearchMatch,
  type WindowSearch,
} from './window.ts'

const MAX_WINDOWS = 20
const MAX_MESSAGES = 20_000

export class Messages {
  readonly #store: MessageStore
  readonly #ownId: () => number
  readonly #byId: MessageStore['byId']
  readonly #windows: MessageStore['windows']
  #shown: MessageWindow | undefined
  /** Number of pending reads; `#during` has the events received since the first of them started. */
  #loads = 0
  readonly #during: ApiEvent[] = []
  #readable: ReadonlySet<number> | undefined
  readonly #lost = new Set<number>()
  readonly #arrivals = signal(0)
  readonly #gaps = signal(0)
  readonly #changes = new Set<() => void>()
  onMissingLinked: (id: number) => void = () => undefined
  /** Log position of the last full snapshot of the state. */
  readonly #beginning: () => number

  constructor(sync: Pick<Sync, 'store' | 'beganAt' | 'listen' | 'onBeginning'>) {
    this.#ownId = () => sync.store.read('user_id')
    this.#store = new MessageStore(this.#ownId)
    this.#byId = this.#store.byId
    this.#windows = this.#store.windows
    sync.listen((event) => {
      this.#unpack()
      if (this.#loads > 0) this.#during.push(event)
      this.#store.onEvent(event)
    })
    this.#beginning = () => sync.beganAt
    sync.onBeginning(() => {
      this.#unpack()
      // A window that is being read is checked when the response arrives.
      for (const window of this.#windows.values()) if (!isFirstPageLoading(window)) this.#compare(window)
      this.#store.forgetUnshown()
      this.#gaps.value += 1
    })
  }

  follow(isFollowed: (ids: readonly number[]) => boolean): void {
    this.#store.isFollowed = isFollowed
  }

  leaveOut(isMuted: (message: Message) => boolean): void {
    this.#store.isMuted = isMuted
  }

  onMutingChanged(): void {
    this.#unpack()
    for (const window of this.#windows.values()) if (this.#dependsOnMuting(window)) window.stale.value = true
  }

  #dependsOnMuting({ place, isOfKept, search }: MessageWindow): boolean {
    if (search === undefined) return place.view === 'feed'
    const terms = isOfKept.peek() ? [] : search.terms
    return terms.some(({ operator, operand }) => operator === 'in' || operand === 'muted')
  }

  setReadable(now: ReadonlySet<number>): void {
    const before = this.#readable ?? now
    this.#readable = now
    const lost = new Set([...before].filter((id) => !now.has(id)))
    const gained = new Set([...now].filter((id) => !before.has(id)))
    if (lost.size === 0 && gained.size === 0) return
    this.#unpack()
    this.#store.forgetIn(lost)
    for (const id of lost) this.#lost.add(id)
    const isBack = [...gained].some((id) => this.#lost.delete(id))
    for (const window of [...this.#windows.values(), ...(this.#shown === undefined ? [] : [this.#shown])]) {
      const { place, stale, isOfKept } = window
      const mayGain = 'channelId' in place ? gained.has(place.channelId) : isBack && place.view !== 'direct'
      if (!mayGain || isOfKept.value) continue
      // Adds the visible window again, because the map may have dropped it.
      this.#windows.set(placeKey(place), window)
      stale.value = true
    }
    this.notifyChange()
  }

  /** Marks a window as stale if it was fetched before the last full snapshot, because it may be missing events. */
  #compare(window: MessageWindow): void {
    window.stale.value = (window.readAt ?? 0) < this.#beginning()
  }

  notifyChange(): void {
    for (const changed of this.#changes) changed()
  }

  onChange(changed: () => void): void {
    this.#changes.add(changed)
  }

  restore(windows: readonly StoredWindow[]): void {
    this.#store.kept.restore(windows)
  }

  /** Call this when the browser no longer stores the data of this tab. */
  forgetStored(): void {
    this.#unpack()
    this.#store.kept.forget()
  }

  takeChanged(): WindowsChange {
    return this.#store.kept.takeChanged(this.#windows, (id) => this.#byId.get(id)?.peek())
  }

  get(id: number): Signal<Message> | undefined {
    return this.#byId.get(id)
  }

  all(): readonly Message[] {
    this.#unpack()
    return [...this.#byId.values()].map((one) => one.peek())
  }

  /** Returns the loaded messages of a place, oldest first. */
  shownIn(place: Place): readonly Message[] {
    this.#unpack(placeKey(place))
    const ids = this.#windows.get(placeKey(place))?.ids.peek() ?? []
    return ids.flatMap((id) => this.#byId.get(id)?.peek() ?? [])
  }

  /** Whether a loaded place has no messages. */
  isEmpty(place: Place): boolean {
    const window = this.#windows.get(placeKey(place))
    return window?.ids.value.length === 0 && window.atOldest.value && window.atNewest.value
  }

  /** Reads around `near`, or around the first unread message, unless that part is loaded. */
  open(place: Place, near?: number): MessageWindow {
    const key = placeKey(place)
    this.#unpack(key)
    const known = this.#windows.get(key)
    const isUsable = known !== undefined && isReusable(known) && (near === undefined || known.ids.value.includes(near))
    const window = isUsable ? known : new MessageWindow(place)
    window.position = known?.position
    this.#windows.delete(key)
    this.#windows.set(key, window)
    this.#shown = window
    if (isUsable) reopenWindow(window, this.#store.firstUnread(window), near)
    else void this.#load(window, 'all', near ?? initialAnchor(place))
    if (window.failed.value && window.readAt === undefined) this.#retryLater(window, 'again')
    this.#forgetUnused()
    return window
  }

  /** Shows local matches before `ask` searches on the server. Drops other searches: each letter starts a new search. */
  find(place: Extract<Place, { view: 'search' }>, search: WindowSearch): MessageWindow {
    const key = placeKey(place)
    const known = this.#windows.get(key)
    const isUsable = known !== undefined && !known.stale.value && !known.isOfKept.value
    const window = isUsable ? known : new MessageWindow(place, search)
    for (const [other, { place: of }] of this.#windows) if (of.view === 'search') this.#windows.delete(other)
    this.#windows.set(key, window)
    this.#shown = window
    if (isUsable) reopenWindow(window, undefined, undefined)
    else window.showLocalMatches(this.all(), search)
    return window
  }

  async ask(window: MessageWindow, around: Anchor): Promise<void> {
    if (!window.isOfKept.value || window.loading.value !== 'none') return
    const goesOn = window.ids.value.length > 0 && around === 'newest'
    await this.#load(window, goesOn ? 'again' : 'all', around)
  }

  /** Loads messages before a view needs them. @returns whether a request was necessary */
  prefetch(place: Place): boolean {
    const key = placeKey(place)
    this.#unpack(key)
    const known = this.#windows.get(key)
    if (known !== undefined && (known === this.#shown || isReusable(known))) return false
    const window = new MessageWindow(place)
    window.position = known?.position
    this.#windows.set(key, window)
    this.#forgetUnused()
    void this.#load(window, 'all', initialAnchor(place))
    return true
  }

  /** Reads messages in parallel with the state, and again if they turn out to be older than the state. */
  readFirst(place: Place, prefetched?: PendingResponse): void {
    const key = placeKey(place)
    if (this.#windows.has(key)) return
    const window = new MessageWindow(place)
    this.#windows.set(key, window)
    this.#shown = window
    void this.#load(window, 'all', initialAnchor(place), prefetched)
  }

  #unpack(only?: string): void {
    batch(() => {
      for (const { window, messages } of this.#store.kept.unpack(only)) {
        for (const message of messages) this.#store.put(message)
        if (!this.#windows.has(placeKey(window.place))) this.#windows.set(placeKey(window.place), window)
      }
    })
  }

  async more(window: MessageWindow, direction: 'older' | 'newer'): Promise<void> {
    const isDone = direction === 'older' ? window.atOldest.value : window.atNewest.value
    if (isDone || window.isOfKept.value || window.loading.value !== 'none') return
    const edge = direction === 'older' ? window.ids.value[0] : window.ids.value.at(-1)
    if (edge === undefined) return
    await this.#load(window, direction, edge)
    window.trim(direction)
  }

  async toNewest(window: MessageWindow): Promise<void> {
    if (!window.atNewest.value) await this.renew(window, undefined)
  }

  reload(window: MessageWindow, around: Anchor = window.anchor.value?.id ?? initialAnchor(window.place)): void {
    void this.#load(window, 'all', around)
  }

  /** Retries a failed read: the next page at an end, or the whole range around that end. */
  async again(window: MessageWindow, direction: 'older' | 'newer'): Promise<void> {
    if (window.readAt !== undefined) return this.more(window, direction)
    return this.renew(window, direction === 'older' ? window.ids.value[0] : window.ids.value.at(-1))
  }

  async renew(window: MessageWindow, around: number | undefined): Promise<void> {
    window.stale.value = false
    await this.#load(window, 'again', around ?? 'newest')
  }

  /** Fetches messages for views that show only parts of them. */
  async fetch(ids: readonly number[]): Promise<void> {
    const missing = ids.filter((id) => !this.#byId.has(id) || this.#store.outdated.has(id))
    if (missing.length === 0) return
    const begin = this.#during.length
    const beginning = this.#beginning()
    this.#loads += 1
    try {
      const answer = await readMessagesByIds(missing)
      // The response can lack events from before the new state. Views that show these messages fetch them again.
      if (this.#beginning() !== beginning) return
      batch(() => {
        for (const message of answer.messages) this.#store.put(message)
        this.#foldAgain(begin)
        this.#arrivals.value += 1
      })
    } finally {
      this.#endLoad()
    }
  }

  /** Reapplies the events received during a read: some are older than the response, but all are idempotent. */
  #foldAgain(begin: number): void {
    for (const event of this.#during.slice(begin)) this.#store.onEvent(event)
    this.#store.forgetIn(this.#lost)
  }

  #endLoad(): void {
    this.#loads -= 1
    if (this.#loads === 0) this.#during.length = 0
  }

  divideAfter(place: Place, id: number): void {
    const window = this.#windows.get(placeKey(place))
    if (window !== undefined) window.divider.value = this.#store.firstUnread(window, id)
  }

  predict(event: PredictedEvent): void {
    this.#unpack()
    this.#store.onEvent({ ...event, id: -1 })
  }

  /** Views of single messages read this value in order to rerender when messages arrive. */
  get arrivals(): number {
    return this.#arrivals.value
  }

  /** Views that fetch messages read this value in order to fetch again when events were missed. */
  get gaps(): number {
    return this.#gaps.value
  }

  async #load(window: MessageWindow, what: PageKind, around: Anchor, prefetched?: PendingResponse): Promise<void> {
    window.loading.value = what === 'again' ? 'all' : what
    window.failed.value = false
    const begin = this.#during.length
    const beginning = this.#beginning()
    const isWhole = what === 'all' || what === 'again'
    if (isWhole) window.readAt = undefined
    this.#loads += 1
    try {
      const { search } = window
      const [kind, start] = search?.startOf(what, around) ?? [what, around]
      const page = await readPage(this.#narrowOf(window), kind, start, prefetched)
      const answer = search?.clip(page, around) ?? page
      // Ignores the response if another read has meanwhile replaced the window's messages.
      if (!isWhole && typeof around === 'number' && !window.ids.peek().includes(around)) return
      batch(() => {
        this.#take(window, answer.messages)
        const ids = answer.messages.map(({ id }) => id)
        if (what === 'older' || what === 'newer') window.add(ids)
        else {
          window.replace(ids, answer)
          const { search_corrections, search_incomplete, search_ranking } = answer
          window.notes.value = { search_corrections, search_incomplete, search_ranking }
        }
        if (what !== 'newer') window.atOldest.value = answer.found_oldest
        if (what !== 'older') window.atNewest.value = answer.found_newest
        this.#foldAgain(begin)
        window.isOfKept.value = false
        if (isWhole) window.readAt = answer.position
        if (isWhole && this.#beginning() !== beginning) this.#compare(window)
        if (what === 'all') reopenWindow(window, this.#store.firstUnread(window), anchorMessageId(around, answer))
      })
      if (what === 'all' && typeof around === 'number' && !window.ids.peek().includes(around))
        this.onMissingLinked(around)
      this.notifyChange()
      await this.#loadPosition(window, what)
    } catch (error) {
      window.failed.value = true
      window.isOutOfReach.value = !(error instanceof ApiError) || error.code === ''
      window.isPassing = !isFinal(error)
      if (window.isPassing) this.#retryLater(window, what, error)
      // Keeps new messages from being appended, which would leave a gap.
      else if (isWhole) window.atNewest.value = false
    } finally {
      window.loading.value = 'none'
      this.#endLoad()
    }
  }

  #narrowOf({ place, search }: MessageWindow): readonly Term[] {
    if (place.view !== 'reactions') return search?.terms ?? narrowOf(place)
    return [
      { operator: 'has', operand: 'reaction' },
      { operator: 'sender', operand: this.#ownId() },
    ]
  }

  /** Returns to the reading position if no message is unread and the position is before the loaded range. */
  async #loadPosition(window: MessageWindow, what: PageKind): Promise<void> {
    const at = window.anchor.peek()
    if (what !== 'all' || at?.offset === undefined || window.ids.peek().includes(at.id)) return
    await this.#load(window, 'again', at.id)
    window.openings.value += 1
  }

  #retryLater(window: MessageWindow, what: PageKind, error?: unknown): void {
    setTimeout(() => {
      if (this.#shown !== window || isFirstPageLoading(window)) return
      const { readAt, loading, failed } = window
      if (loading.peek() !== 'none') this.#retryLater(window, what)
      // The list requests the failed page again on scrolling.
      else if (readAt !== undefined) failed.value = false
      else if (what === 'all') this.reload(window)
      // Marks the open list as stale to reload it, because nothing else would retry.
      else if (window.isOpen) window.stale.value = true
    }, retryDelayAfter(error))
  }

  /** Stores messages for all windows, but their highlights for this window alone. */
  #take(window: MessageWindow, found: readonly FoundMessage[]): void {
    const marks = new Map<number, SearchMatch>()
    for (const { match_content: content, match_subject: topic = '', ...message } of found) {
      this.#store.put(message)
      if (content !== undefined) marks.set(message.id, { content, topic })
    }
    if (marks.size > 0) window.marks.value = new Map([...window.marks.value, ...marks])
  }

  #forgetUnused(): void {
    for (const [key, window] of this.#windows) {
      if (this.#windows.size <= MAX_WINDOWS) break
      if (window !== this.#shown) this.#windows.delete(key)
    }
    if (this.#byId.size <= MAX_MESSAGES) return
    const shown = new Set([...this.#windows.values()].flatMap((window) => window.ids.value))
    for (const id of this.#byId.keys()) if (!shown.has(id)) this.#byId.delete(id)
  }
}
