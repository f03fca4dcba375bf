import { signal } from '@preact/signals'
import type { Choice } from '../../kernel/setting.ts'
import { afterPaint } from '../../platform/dom/painted.ts'
import { isWriting, SCROLLING_KEYS } from '../../platform/keys/keys.ts'
import { upperEdgeOf } from '../../platform/list/anchor.ts'
import { conversationOf, type Place } from '../../kernel/route.ts'
import { messages, sync } from '../../platform/client.ts'
import { preferredFlag, serverSetting } from '../../platform/preferences.ts'
import { markRead } from '../flags/actions.ts'

/** How long the end of a message has to be in view until it counts as read. */
const READ_MILLISECONDS = 500

/** Values of `user_settings.web_mark_read_on_scroll_policy`: when messages are marked as read by being seen. */
export const MARK_READ = { conversations: 2, never: 3 } as const

const policy = serverSetting('web_mark_read_on_scroll_policy', 1)

export const markReadPolicy: Choice<2 | 3> = {
  name: 'web_mark_read_on_scroll_policy',
  read: () => (policy.read() === MARK_READ.never ? MARK_READ.never : MARK_READ.conversations),
  write: policy.write,
}

/**
 * Whether what is seen in feeds and searches is read too. The server says `always` for all who never chose, so it cannot tell who
 * wants that.
 */
export const readsFeeds = preferredFlag('reads-feeds', false)

/** What the reader does when what is in view counts as read. */
export const ACTS = ['wheel', 'pointermove', 'pointerdown', 'keydown', 'touchmove'] as const

/** Marks what the reader has seen: in view for a while, in a focused window, after the reader did something. */
export class Reading {
  readonly #scroller: HTMLElement
  readonly #place: Place
  readonly #seenSince = new Map<number, number>()
  readonly #said = new Set<number>()
  readonly #stopHearing: () => void
  #hasActed = false
  #isToLook = false
  #hasJumped = false
  #jumpedAt = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(scroller: HTMLElement, place: Place) {
    this.#scroller = scroller
    this.#place = place
    this.#stopHearing = sync.hear((event) => {
      if (event.type !== 'update_message_flags' || event.op !== 'remove' || event['flag'] !== 'read') return
      // Marked as unread again, they are not read until one comes back. The list is as the event declares it.
      for (const id of event['messages'] as readonly number[]) this.#said.add(id)
    })
  }

  /** The reader moved, scrolled, pressed or typed something. */
  acted(event: Event): void {
    if (!this.#isReading(event)) return
    this.#hasActed = true
    this.#hasJumped = false
    if (this.#isToLook) return
    this.#isToLook = true
    // It measures rows, for which what was pressed does not wait.
    afterPaint(() => {
      this.#isToLook = false
      this.look()
    })
  }

  /** The reader was brought to where the list is now: what is in view there is read only when it is scrolled. */
  jumped(): void {
    this.#hasActed = false
    this.#hasJumped = true
    this.#jumpedAt = performance.now()
    this.#seenSince.clear()
  }

  #isReading(event: Event): boolean {
    if (event instanceof KeyboardEvent && event.key === 'Escape') return false
    // The key or the click that led there, as the one that sent a message, comes here when it has been handled.
    if (event.timeStamp <= this.#jumpedAt) return false
    if (!this.#hasJumped || event.type === 'wheel' || event.type === 'touchmove') return true
    if (event instanceof KeyboardEvent) return isWriting(event.target) || SCROLLING_KEYS.test(event.key)
    // A press on the list itself is one on its scroll bar.
    return event.type === 'pointerdown' && event.target === this.#scroller
  }

  /** Looks at what is in view, now and once more as long as something there is unread. */
  look(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (!this.#hasActed || !document.hasFocus() || !marksRead(this.#place)) {
      this.#seenSince.clear()
      return
    }
    const now = performance.now()
    const inView = this.#unreadInView()
    for (const id of this.#seenSince.keys()) if (!inView.includes(id)) this.#seenSince.delete(id)
    for (const id of inView) if (!this.#seenSince.has(id)) this.#seenSince.set(id, now)
    const read = inView.filter((id) => now - (this.#seenSince.get(id) ?? now) >= READ_MILLISECONDS)
    if (read.length > 0) void this.#say(read)
    if (inView.length > read.length) this.#timer = setTimeout(() => this.look(), READ_MILLISECONDS)
  }

  stop(): void {
    this.#hasActed = false
    clearTimeout(this.#timer)
    this.#stopHearing()
  }

  #unreadInView(): number[] {
    const top = upperEdgeOf(this.#scroller)
    const { bottom } = this.#scroller.getBoundingClientRect()
    const ids: number[] = []
    for (const row of this.#scroller.querySelectorAll<HTMLElement>('[data-row]')) {
      const box = row.getBoundingClientRect()
      if (box.top > bottom) break
      const isEndInView = box.bottom > top && box.bottom <= bottom + 1
      const id = Number(row.dataset['row'])
      const message = isEndInView ? messages.get(id)?.peek() : undefined
      if (message !== undefined && !message.flags.includes('read') && !this.#said.has(id)) ids.push(id)
    }
    return ids
  }

  async #say(ids: readonly number[]): Promise<void> {
    for (const id of ids) {
      this.#said.add(id)
      this.#seenSince.delete(id)
    }
    const isSaid = await markRead(ids)
    if (!isSaid) for (const id of ids) this.#said.delete(id)
  }
}

/** The message that has the keyboard's focus, or had it last. */
export const focused = signal<number | undefined>(undefined)

/** Whether what is seen in a list counts as read. */
function marksRead(place: Place): boolean {
  return markReadPolicy.read() !== MARK_READ.never && (conversationOf(place) !== undefined || readsFeeds.read())
}
