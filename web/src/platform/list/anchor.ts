/** Tolerance for detecting the end of a list, because browsers round positions. */
const END_TOLERANCE_PIXELS = 4

/** Height of a button that can cover the end of a list. */
const COVERING_BUTTON_HEIGHT_PIXELS = 48

/** Row with its offset in pixels from the list's upper edge. */
interface AnchoredRow {
  readonly id: string
  readonly offset: number
}

/** Several rows are remembered, so that the position survives the removal of some of them. */
const MAX_REMEMBERED_ROWS = 12

/** Keeps the wanted offset: browsers scroll by whole pixels, and rounding errors would add up with each insertion. */
function restoreFractionalOffset(id: string, offset: number, put: readonly AnchoredRow[]): number {
  const wanted = put.find((row) => row.id === id)?.offset ?? Number.NaN
  return Math.abs(wanted - offset) < 1 ? wanted : offset
}

/** The top of the visible part of a list: below the sticky header, whose height is the scroll padding. */
export function upperEdgeOf(scroller: HTMLElement): number {
  const covered = Number.parseFloat(getComputedStyle(scroller).scrollPaddingBlockStart)
  return scroller.getBoundingClientRect().top + (covered || 0)
}

/** Keeps the reader's row in place when rows above it change, or keeps the end in view for a reader at the end. */
export class ScrollAnchor {
  readonly #scroller: HTMLElement
  #isAtEnd = true
  #put = 0
  /** Rows in view, from the top. Rows cut by the upper edge come last. */
  #inView: readonly AnchoredRow[] = []
  #lastId: string | undefined
  /** Set while the anchored row must stay fully visible although the list became shorter. */
  #kept: { readonly height: number; readonly wasAtEnd: boolean; wasLower: boolean } | undefined

  constructor(scroller: HTMLElement) {
    this.#scroller = scroller
  }

  get isAtEnd(): boolean {
    return this.#isAtEnd
  }

  get first(): AnchoredRow | undefined {
    return this.#inView[0]
  }

  /** The last row that ends above the lower edge of the list. */
  get lastId(): string | undefined {
    return this.#lastId
  }

  /** Whether the list is still where this class scrolled it. A late scroll event then must not change the anchor. */
  get isPut(): boolean {
    return this.#scroller.scrollTop === this.#put
  }

  /** Remembers the rows in view. @param hasEnd whether the last row is the end of the messages */
  note(hasEnd: boolean): void {
    const { scrollTop } = this.#scroller
    const put = this.isPut ? this.#inView : []
    // Forgets the offset that was set, because the reader may later scroll to the same offset.
    if (scrollTop !== this.#put) this.#put = Number.NaN
    this.#isAtEnd = hasEnd && this.#isAtBottom
    this.#kept = undefined
    const { top, bottom } = this.#scroller.getBoundingClientRect()
    const edge = upperEdgeOf(this.#scroller)
    const held: AnchoredRow[] = []
    const cut: AnchoredRow[] = []
    for (const row of this.#rows()) {
      const box = row.getBoundingClientRect()
      if (box.top >= bottom) break
      const id = row.dataset['row'] ?? ''
      if (box.bottom <= bottom + 1) this.#lastId = id
      if (box.bottom <= edge || held.length === MAX_REMEMBERED_ROWS) continue
      ;(box.top < edge ? cut : held).push({ id, offset: restoreFractionalOffset(id, box.top - top, put) })
    }
    // Cut rows come last, because a cut row that grows would push down the text that is being read.
    this.#inView = [...held, ...cut]
  }

  toEnd(): void {
    this.#isAtEnd = true
    this.#kept = undefined
    this.restore()
  }

  /** Keeps the row `offset` pixels below the upper edge. */
  toRow(id: string, offset: number): void {
    this.#isAtEnd = false
    this.#kept = undefined
    this.#inView = [{ id, offset }]
    this.restore()
  }

  /** Keeps a row in place, or moves it up by `by` pixels. */
  holdRow(id: string, by: number): void {
    const row = this.#scroller.querySelector(`[data-row="${id}"]`)
    if (row === null) return
    this.toRow(id, row.getBoundingClientRect().top - this.#scroller.getBoundingClientRect().top - by)
  }

  /** Keeps a row in place if the list becomes shorter, or moves it up just enough to stay fully visible. */
  keepRow(id: string): void {
    const row = this.#scroller.querySelector(`[data-row="${id}"]`)
    if (row === null) return
    const offset = row.getBoundingClientRect().top - this.#scroller.getBoundingClientRect().top
    this.#inView = [{ id, offset }]
    this.#kept = { height: this.#scroller.clientHeight, wasAtEnd: this.#isAtEnd, wasLower: false }
    this.#isAtEnd = false
  }

  /** Call this after a change and before the paint. */
  restore(): void {
    this.#place()
    this.#put = this.#scroller.scrollTop
    if (this.#kept === undefined) return
    this.#isAtEnd = this.#kept.wasAtEnd && this.#isAtBottom
    if (this.#scroller.clientHeight < this.#kept.height) this.#kept.wasLower = true
    else if (this.#kept.wasLower) this.#kept = undefined
  }

  #place(): void {
    const scroller = this.#scroller
    if (this.#isAtEnd && this.#kept === undefined) {
      scroller.scrollTop = scroller.scrollHeight
      return
    }
    const { top } = scroller.getBoundingClientRect()
    for (const { id, offset } of this.#inView) {
      const row = scroller.querySelector<HTMLElement>(`[data-row="${id}"]`)
      if (row === null) continue
      const box = row.getBoundingClientRect()
      scroller.scrollTop += box.top - top - Math.min(offset, this.#lowest(box.height))
      return
    }
  }

  /** The largest offset at which a row still ends above the button that covers the end of the list. */
  #lowest(height: number): number {
    const { clientHeight } = this.#scroller
    if (this.#kept === undefined || clientHeight >= this.#kept.height) return Infinity
    // The top of a row taller than the list is more important than its end.
    return Math.max(
      upperEdgeOf(this.#scroller) - this.#scroller.getBoundingClientRect().top,
      clientHeight - height - COVERING_BUTTON_HEIGHT_PIXELS,
    )
  }

  get #isAtBottom(): boolean {
    const { scrollTop, clientHeight, scrollHeight } = this.#scroller
    return scrollTop + clientHeight >= scrollHeight - END_TOLERANCE_PIXELS
  }

  #rows(): NodeListOf<HTMLElement> {
    return this.#scroller.querySelectorAll('[data-row]')
  }
}
