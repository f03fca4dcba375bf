import { ApiError, isFinal, type ApiEvent } from '@parley/client'
import { batch, signal, type Signal } from '@preact/signals'
import { placeKey, type Place } from '../../kernel/route.ts'
import type { KeptWindow, WindowsChange } from '../cache.ts'
import type { Sync } from '../sync/sync.ts'
import { narrowOf, type FoundMessage, type Message, type Term } from '../../kernel/message.ts'
import { HeldMessages } from './held.ts'
import { beginningOf, type Around, type Reading } from './page.ts'
import { pauseAfter, readPage, readSingle, type Coming } from './reading.ts'
import { anchorOf, isBeingRead, isSound, MessageWindow, reopen, type KeptSearch, type Mark } from './window.ts'

/** Windows that are kept when one goes elsewhere, and messages; what is over them is forgotten, the longest unused first. */
const MOST_WINDOWS = 20
const MOST_MESSAGES = 20_000

/** The messages that were read, by id, and the windows that show them; kept true by events. */
export class Messages {
  readonly #held: HeldMessages
  readonly #byId: HeldMessages['byId']
  readonly #windows: HeldMessages['windows']
  /** The one that was opened last. */
  #shown: MessageWindow | undefined
  /** Readings that are on their way, and the events that were heard since the first of them began. */
  #loads = 0
  readonly #during: ApiEvent[] = []
  /** The channels of which one may read messages, and those of which one no longer may. */
  #readable: ReadonlySet<number> | undefined
  readonly #lost = new Set<number>()
  readonly #arrivals = signal(0)
  readonly #gaps = signal(0)
  readonly #changes = new Set<() => void>()
  readonly #parseSearch: (query: string) => readonly Term[]
  /** The position of the log at which the state began. */
  readonly #beginning: () => number

  constructor(
    sync: Pick<Sync, 'store' | 'beganAt' | 'hear' | 'onBeginning'>,
    parseSearch: (query: string) => readonly Term[],
  ) {
    this.#held = new HeldMessages(() => sync.store.read('user_id'))
    this.#byId = this.#held.byId
    this.#windows = this.#held.windows
    this.#parseSearch = parseSearch
    sync.hear((event) => {
      this.#unpack()
      if (this.#loads > 0) this.#during.push(event)
      this.#held.onEvent(event)
    })
    this.#beginning = () => sync.beganAt
    sync.onBeginning(() => {
      this.#unpack()
      // What is being read is compared when it is there.
      for (const window of this.#windows.values()) if (!isBeingRead(window)) this.#compare(window)
      this.#held.forgetUnshown()
      this.#gaps.value += 1
    })
  }

  /** Leaves out of the combined feed what is muted. */
  leaveOut(isMuted: (message: Message) => boolean): void {
    this.#held.isMuted = isMuted
  }

  /** Says that something else is muted than before. */
  tellMuting(): void {
    this.#unpack()
    for (const window of this.#windows.values()) if (this.#dependsOnMuting(window)) window.stale.value = true
  }

  #dependsOnMuting({ place, isOfKept }: MessageWindow): boolean {
    if (place.view !== 'search') return place.view === 'feed'
    const terms = isOfKept.peek() ? [] : this.#parseSearch(place.query)
    return terms.some(({ operator, operand }) => operator === 'in' || operand === 'muted')
  }

  /** Says of which channels one may read messages now: what was read of others is forgotten. */
  tellReadable(now: ReadonlySet<number>): void {
    const before = this.#readable ?? now
    this.#readable = now
    const lost = new Set([...before].filter((id) => !now.has(id)))
    const gained = new Set([...now].filter((id) => !before.has(id)))
    if (lost.size === 0 && gained.size === 0) return
    this.#unpack()
    this.#held.forgetIn(lost)
    for (const id of lost) this.#lost.add(id)
    const isBack = [...gained].some((id) => this.#lost.delete(id))
    for (const window of [...this.#windows.values(), ...(this.#shown === undefined ? [] : [this.#shown])]) {
      const { place, stale, isOfKept } = window
      const mayGain = 'channelId' in place ? gained.has(place.channelId) : isBack && place.view !== 'direct'
      if (!mayGain || isOfKept.value) continue
      // One that is shown may have been given up.
      this.#windows.set(placeKey(place), window)
      stale.value = true
    }
    this.tellChange()
  }

  /** A window that was read before the state began lacks what happened between them. */
  #compare(window: MessageWindow): void {
    window.stale.value = (window.readAt ?? 0) < this.#beginning()
  }

  /** Says that other messages are shown, or that a reader left a window. */
  tellChange(): void {
    for (const changed of this.#changes) changed()
  }

  /** Is called when other messages are shown, of which no event tells. */
  onChange(changed: () => void): void {
    this.#changes.add(changed)
  }

  /** Begins with windows that were kept; each is made when it is needed. */
  restore(windows: readonly KeptWindow[]): void {
    this.#held.kept.restore(windows)
  }

  /** Says that nothing of this tab is kept yet. */
  forgetKept(): void {
    this.#unpack()
    this.#held.kept.forget()
  }

  /** The windows to be kept that have changed since it was asked last, and those that are not to be kept any more. */
  takeChanged(): WindowsChange {
    return this.#held.kept.takeChanged(this.#windows, (id) => this.#byId.get(id)?.peek())
  }

  /** A message that some window shows. */
  get(id: number): Signal<Message> | undefined {
    return this.#byId.get(id)
  }

  /** Every message that the browser has, in no order. */
  all(): readonly Message[] {
    this.#unpack()
    return [...this.#byId.values()].map((one) => one.peek())
  }

  /** What the window of a place shows now, the oldest first. */
  shownIn(place: Place): readonly Message[] {
    this.#unpack(placeKey(place))
    const ids = this.#windows.get(placeKey(place))?.ids.peek() ?? []
    return ids.flatMap((id) => this.#byId.get(id)?.peek() ?? [])
  }

  /** The window of a place, read around a message or the first unread one where it is not there yet. */
  open(place: Place, near?: number): MessageWindow {
    const key = placeKey(place)
    this.#unpack(key)
    const known = this.#windows.get(key)
    const isUsable = known !== undefined && isSound(known) && (near === undefined || known.ids.value.includes(near))
    const window = isUsable ? known : new MessageWindow(place)
    window.position = known?.position
    this.#windows.delete(key)
    this.#windows.set(key, window)
    this.#shown = window
    if (isUsable) reopen(window, this.#held.firstUnread(window), near)
    else void this.#load(window, 'all', near ?? beginningOf(place))
    if (window.failed.value && window.readAt === undefined) this.#retryLater(window, 'again')
    this.#forgetUnused()
    return window
  }

  /**
   * The window of a search with what the browser has of it; `ask` then has the server search. There is one at a time:
   * while one types, each letter makes another.
   */
  find(place: Extract<Place, { view: 'search' }>, search: KeptSearch): MessageWindow {
    const key = placeKey(place)
    const known = this.#windows.get(key)
    const isUsable = known !== undefined && !known.stale.value && !known.isOfKept.value
    const window = isUsable ? known : new MessageWindow(place, search)
    for (const [other, { place: of }] of this.#windows) if (of.view === 'search') this.#windows.delete(other)
    this.#windows.set(key, window)
    this.#shown = window
    if (isUsable) reopen(window, undefined, undefined)
    else window.showKept(this.all(), search)
    return window
  }

  /** Has the server search, in place of what the browser has found. */
  async ask(window: MessageWindow, around: Around): Promise<void> {
    if (!window.isOfKept.value || window.loading.value !== 'none') return
    const goesOn = window.ids.value.length > 0 && around === 'newest'
    await this.#load(window, goesOn ? 'again' : 'all', around)
  }

  /**
   * Reads the messages of a place that one may open next, so that it opens from memory. It marks nothing.
   * @returns whether they had to be read
   */
  prefetch(place: Place): boolean {
    const key = placeKey(place)
    this.#unpack(key)
    const known = this.#windows.get(key)
    if (known !== undefined && (known === this.#shown || isSound(known))) return false
    const window = new MessageWindow(place)
    window.position = known?.position
    this.#windows.set(key, window)
    this.#forgetUnused()
    void this.#load(window, 'all', beginningOf(place))
    return true
  }

  /** Reads what is to be shown first beside the state, which takes as long: what happened between the two has it read again. */
  readFirst(place: Place, coming?: Coming): void {
    const key = placeKey(place)
    if (this.#windows.has(key)) return
    const window = new MessageWindow(place)
    this.#windows.set(key, window)
    this.#shown = window
    void this.#load(window, 'all', beginningOf(place), coming)
  }

  /** Makes windows of what was kept: one, or all before something changes them. */
  #unpack(only?: string): void {
    batch(() => {
      for (const { window, messages } of this.#held.kept.unpack(only)) {
        for (const message of messages) this.#held.put(message)
        if (!this.#windows.has(placeKey(window.place))) this.#windows.set(placeKey(window.place), window)
      }
    })
  }

  /** Reads the messages before or after those that are there. */
  async more(window: MessageWindow, direction: 'older' | 'newer'): Promise<void> {
    const isDone = direction === 'older' ? window.atOldest.value : window.atNewest.value
    if (isDone || window.isOfKept.value || window.loading.value !== 'none') return
    const edge = direction === 'older' ? window.ids.value[0] : window.ids.value.at(-1)
    if (edge === undefined) return
    await this.#load(window, direction, edge)
    window.trim(direction)
  }

  /** Reads the newest messages, wherever the window was. */
  async toNewest(window: MessageWindow): Promise<void> {
    if (!window.atNewest.value) await this.renew(window, undefined)
  }

  /** Reads a window again that failed. */
  retry(window: MessageWindow): void {
    void this.#load(window, 'all', window.anchor.value?.id ?? beginningOf(window.place))
  }

  /** Reads what failed again: more at an end, or, where all of it was to be read, what is around that end. */
  async again(window: MessageWindow, direction: 'older' | 'newer'): Promise<void> {
    if (window.readAt !== undefined) return this.more(window, direction)
    return this.renew(window, direction === 'older' ? window.ids.value[0] : window.ids.value.at(-1))
  }

  /** Reads a window again that is stale, around the message at which the reader is. */
  async renew(window: MessageWindow, around: number | undefined): Promise<void> {
    window.stale.value = false
    await this.#load(window, 'again', around ?? 'newest')
  }

  /** Reads single messages, for what shows a part of them. */
  async fetch(ids: readonly number[]): Promise<void> {
    const missing = ids.filter((id) => !this.#byId.has(id) || this.#held.outdated.has(id))
    if (missing.length === 0) return
    const begin = this.#during.length
    const beginning = this.#beginning()
    this.#loads += 1
    try {
      const answer = await readSingle(missing)
      // What happened until the state began anew was not heard: those that show the messages ask for them again.
      if (this.#beginning() !== beginning) return
      batch(() => {
        for (const message of answer.messages) this.#held.put(message)
        this.#foldAgain(begin)
        this.#arrivals.value += 1
      })
    } finally {
      this.#endLoad()
    }
  }

  /** What was heard since a reading began may be older or newer than the answer: folded again it is right in both cases. */
  #foldAgain(begin: number): void {
    for (const event of this.#during.slice(begin)) this.#held.onEvent(event)
    this.#held.forgetIn(this.#lost)
  }

  #endLoad(): void {
    this.#loads -= 1
    if (this.#loads === 0) this.#during.length = 0
  }

  /** Puts the divider of an open list before the first unread message that comes after this one. */
  divideAfter(place: Place, id: number): void {
    const window = this.#windows.get(placeKey(place))
    if (window !== undefined) window.divider.value = this.#held.firstUnread(window, id)
  }

  /** Shows what an event will bring before the server sends it. */
  predict(event: Omit<ApiEvent, 'id'>): void {
    this.#unpack()
    this.#held.onEvent({ ...event, id: -1 } as ApiEvent)
  }

  /** What views read that show single messages, so that they are drawn again when one arrived. */
  get arrivals(): number {
    return this.#arrivals.value
  }

  /** What views read that fetch messages, so that they do it again where events were missed. */
  get gaps(): number {
    return this.#gaps.value
  }

  async #load(window: MessageWindow, what: Reading, around: Around, coming?: Coming): Promise<void> {
    window.loading.value = what === 'again' ? 'all' : what
    window.failed.value = false
    const begin = this.#during.length
    const beginning = this.#beginning()
    const isWhole = what === 'all' || what === 'again'
    if (isWhole) window.readAt = undefined
    this.#loads += 1
    try {
      const answer = await readPage(narrowOf(window.place, this.#parseSearch), what, around, coming)
      // What goes on from a message does not belong to a window that was read anew elsewhere meanwhile.
      if (!isWhole && typeof around === 'number' && !window.ids.peek().includes(around)) return
      batch(() => {
        this.#take(window, answer.messages)
        const ids = answer.messages.map(({ id }) => id)
        if (what === 'older' || what === 'newer') window.add(ids)
        else window.replace(ids, answer)
        if (what !== 'newer') window.atOldest.value = answer.found_oldest
        if (what !== 'older') window.atNewest.value = answer.found_newest
        this.#foldAgain(begin)
        window.isOfKept.value = false
        if (isWhole) window.readAt = answer.position
        if (isWhole && this.#beginning() !== beginning) this.#compare(window)
        if (what === 'all') reopen(window, this.#held.firstUnread(window), anchorOf(around, answer))
      })
      this.tellChange()
      await this.#loadPosition(window, what)
    } catch (error) {
      window.failed.value = true
      window.isOutOfReach.value = !(error instanceof ApiError) || error.code === ''
      window.isPassing = !isFinal(error)
      if (window.isPassing) this.#retryLater(window, what, error)
      // What comes would stand behind a gap.
      else if (isWhole) window.atNewest.value = false
    } finally {
      window.loading.value = 'none'
      this.#endLoad()
    }
  }

  /** Reads around the message where the reader was, if nothing is unread and that is further up than what was read. */
  async #loadPosition(window: MessageWindow, what: Reading): Promise<void> {
    const at = window.anchor.peek()
    if (what !== 'all' || at?.offset === undefined || window.ids.peek().includes(at.id)) return
    await this.#load(window, 'again', at.id)
    window.openings.value += 1
  }

  /** Reads a window again for which the server had no answer, as long as it is the one that is shown. */
  #retryLater(window: MessageWindow, what: Reading, error?: unknown): void {
    setTimeout(() => {
      if (this.#shown !== window || isBeingRead(window)) return
      const { readAt, loading, failed } = window
      // More of it may be on its way, which is no reason to leave it as it is.
      if (loading.peek() !== 'none') this.#retryLater(window, what)
      // Only a further page was missing. The list asks for it again when the person reads on.
      else if (readAt !== undefined) failed.value = false
      else if (what === 'all') this.retry(window)
      // Where no list shows it, nothing would read it again, and it would open without the messages that it has.
      else if (window.isOpen) window.stale.value = true
    }, pauseAfter(error))
  }

  /** Takes in what a reading found; what a search marked in it is of its window alone. */
  #take(window: MessageWindow, found: readonly FoundMessage[]): void {
    const marks = new Map<number, Mark>()
    for (const { match_content: content, match_subject: topic = '', ...message } of found) {
      this.#held.put(message)
      if (content !== undefined) marks.set(message.id, { content, topic })
    }
    if (marks.size > 0) window.marks.value = new Map([...window.marks.value, ...marks])
  }

  #forgetUnused(): void {
    for (const [key, window] of this.#windows) {
      if (this.#windows.size <= MOST_WINDOWS) break
      if (window !== this.#shown) this.#windows.delete(key)
    }
    if (this.#byId.size <= MOST_MESSAGES) return
    const shown = new Set([...this.#windows.values()].flatMap((window) => window.ids.value))
    for (const id of this.#byId.keys()) if (!shown.has(id)) this.#byId.delete(id)
  }
}
