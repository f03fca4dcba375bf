import { isEvent } from '@parley/client'
import { flags } from '@parley/server/contract'
import { signal } from '@preact/signals'
import type { Choice } from '../../kernel/setting.ts'
import { afterPaint } from '../../platform/dom/painted.ts'
import { isScrollingKey, isWriting } from '../../platform/keys/keys.ts'
import { upperEdgeOf } from '../../platform/list/anchor.ts'
import { conversationOf, type Place } from '../../kernel/route.ts'
import { messages, sync } from '../../platform/client.ts'
import { preferredFlag, serverSetting } from '../../platform/preferences.ts'
import { markRead } from '../flags/requests.ts'

/** A message counts as read after its end has been visible for this long. */
const MIN_READ_MILLISECONDS = 500

export const MARK_READ_POLICY = { conversations: 2, never: 3 } as const

const markReadSetting = serverSetting('web_mark_read_on_scroll_policy', 1)

export const markReadPolicy: Choice<2 | 3> = {
  name: 'web_mark_read_on_scroll_policy',
  read: () =>
    markReadSetting.read() === MARK_READ_POLICY.never ? MARK_READ_POLICY.never : MARK_READ_POLICY.conversations,
  write: markReadSetting.write,
}

/** Stored as a preference, because the server's default value `always` does not show whether the user chose it. */
export const marksFeedsRead = preferredFlag('reads-feeds', false)

export const USER_INPUT_EVENTS = ['wheel', 'pointermove', 'pointerdown', 'keydown', 'touchmove'] as const

/** Messages count as read once they have been visible for a while in a focused window that the reader is using. */
export class ReadTracker {
  readonly #scroller: HTMLElement
  readonly #place: Place
  readonly #seenSince = new Map<number, number>()
  readonly #marked = new Set<number>()
  readonly #stopListening: () => void
  #hasActed = false
  #isUpdateDue = false
  #hasJumped = false
  #jumpedAt = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(scroller: HTMLElement, place: Place) {
    this.#scroller = scroller
    this.#place = place
    this.#stopListening = sync.listen((event) => {
      if (!isEvent(event, flags.flagsRemoved) || event.flag !== 'read') return
      // Messages marked as unread stay unread until the list is reopened.
      for (const id of event.messages) this.#marked.add(id)
    })
  }

  acted(event: Event): void {
    if (!this.#isReading(event)) return
    const isFirst = !this.#hasActed
    this.#hasActed = true
    this.#hasJumped = false
    // The key may open another conversation.
    if (isFirst && event instanceof KeyboardEvent) this.update()
    if (this.#isUpdateDue) return
    this.#isUpdateDue = true
    // Measuring rows must not delay the key press.
    afterPaint(() => {
      this.#isUpdateDue = false
      this.update()
    })
  }

  /** After automatic scrolling, visible messages count as read only once the reader scrolls. */
  jumped(): void {
    this.#hasActed = false
    this.#hasJumped = true
    this.#jumpedAt = performance.now()
    this.#seenSince.clear()
  }

  #isReading(event: Event): boolean {
    if (event instanceof KeyboardEvent && event.key === 'Escape') return false
    // Ignores the key press or click that caused the jump, because it arrives here after the jump.
    if (event.timeStamp <= this.#jumpedAt) return false
    if (!this.#hasJumped || event.type === 'wheel' || event.type === 'touchmove') return true
    if (event instanceof KeyboardEvent) return isWriting(event.target) || isScrollingKey(event)
    // A press on the list itself is a press on its scroll bar.
    return event.type === 'pointerdown' && event.target === this.#scroller
  }

  update(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#hasJumped || !document.hasFocus() || !marksReadOnScroll(this.#place)) {
      this.#seenSince.clear()
      return
    }
    const now = performance.now()
    const unread = this.#unreadRows()
    const inView = unread.filter((row) => !this.#isCovered(row)).map(messageIdOfRow)
    for (const id of this.#seenSince.keys()) if (!inView.includes(id)) this.#seenSince.delete(id)
    for (const id of inView) if (!this.#seenSince.has(id)) this.#seenSince.set(id, now)
    if (!this.#hasActed) return
    const read = inView.filter((id) => now - (this.#seenSince.get(id) ?? now) >= MIN_READ_MILLISECONDS)
    if (read.length > 0) void this.#markRead(read)
    if (unread.length > read.length) this.#timer = setTimeout(() => this.update(), MIN_READ_MILLISECONDS)
  }

  stop(): void {
    this.#hasActed = false
    clearTimeout(this.#timer)
    this.#stopListening()
  }

  #unreadRows(): HTMLElement[] {
    const top = upperEdgeOf(this.#scroller)
    const { bottom } = this.#scroller.getBoundingClientRect()
    const rows: HTMLElement[] = []
    for (const row of this.#scroller.querySelectorAll<HTMLElement>('[data-row]')) {
      const box = row.getBoundingClientRect()
      if (box.top > bottom) break
      const isEndInView = box.bottom > top && box.bottom <= bottom + 1
      const id = messageIdOfRow(row)
      const message = isEndInView ? messages.get(id)?.peek() : undefined
      if (message !== undefined && !message.flags.includes('read') && !this.#marked.has(id)) rows.push(row)
    }
    return rows
  }

  #isCovered(row: HTMLElement): boolean {
    const { left, width, bottom } = row.getBoundingClientRect()
    const front = document.elementFromPoint(left + width / 2, bottom - 2)
    return this.#scroller.parentElement?.contains(front) !== true && front?.closest('.toasts') === null
  }

  async #markRead(ids: readonly number[]): Promise<void> {
    for (const id of ids) {
      this.#marked.add(id)
      this.#seenSince.delete(id)
    }
    const isMarked = await markRead(ids)
    if (!isMarked) for (const id of ids) this.#marked.delete(id)
  }
}

function messageIdOfRow(row: HTMLElement): number {
  return Number(row.dataset['row'])
}

export const focusedMessageId = signal<number | undefined>(undefined)

function marksReadOnScroll(place: Place): boolean {
  return (
    markReadPolicy.read() !== MARK_READ_POLICY.never && (conversationOf(place) !== undefined || marksFeedsRead.read())
  )
}
