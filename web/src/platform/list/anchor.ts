/** How near to its end a list counts as being there, since browsers round positions. */
const END_PIXELS = 4

/** As much of a list may be covered at its end by a button. */
const COVERED_PIXELS = 48

/** A row in view, with the pixels between the list's upper edge and its own. */
interface Held {
  readonly id: string
  readonly offset: number
}

/** Of the rows in view, as many as one may lose and still know where the reader was. */
const MOST_HELD = 12

/**
 * Where a row was to be put, if it is there but for rounding: browsers scroll by whole pixels, and what was rounded each time that
 * something comes above would move the row little by little.
 */
function unrounded(id: string, offset: number, put: readonly Held[]): number {
  const wanted = put.find((row) => row.id === id)?.offset ?? Number.NaN
  return Math.abs(wanted - offset) < 1 ? wanted : offset
}

/** Where that begins of a list which is in view: below what stays at its upper edge, which says so as its scroll padding. */
export function upperEdgeOf(scroller: HTMLElement): number {
  const covered = Number.parseFloat(getComputedStyle(scroller).scrollPaddingBlockStart)
  return scroller.getBoundingClientRect().top + (covered || 0)
}

/**
 * Keeps the row under the reader's eye where it is, whatever grows, shrinks, comes or goes above it; or keeps the end in
 * view, if that is where the reader is. Rows carry their id in `data-row`.
 */
export class ScrollAnchor {
  readonly #scroller: HTMLElement
  #isAtEnd = true
  /** How far it was scrolled here. */
  #put = 0
  /** The rows in view from above, the one that the upper edge cuts last. */
  #held: readonly Held[] = []
  /** What is held is kept whole in view while the list is lower than it was, at its end or not. */
  #kept: { readonly height: number; readonly wasAtEnd: boolean; wasLower: boolean } | undefined

  constructor(scroller: HTMLElement) {
    this.#scroller = scroller
  }

  get isAtEnd(): boolean {
    return this.#isAtEnd
  }

  /** The first row in view. */
  get first(): Held | undefined {
    return this.#held[0]
  }

  /**
   * Whether it is where it was put here. A browser tells of that later, when what is above may have grown: what is in view
   * then is not to be held.
   */
  get isPut(): boolean {
    return this.#scroller.scrollTop === this.#put
  }

  /** Holds what is in view now. @param hasEnd whether nothing comes after the last row */
  note(hasEnd: boolean): void {
    const { scrollTop } = this.#scroller
    const put = this.isPut ? this.#held : []
    // It may come to be scrolled as far again by the reader.
    if (scrollTop !== this.#put) this.#put = Number.NaN
    this.#isAtEnd = hasEnd && this.#isAtBottom
    this.#kept = undefined
    const { top, bottom } = this.#scroller.getBoundingClientRect()
    const edge = upperEdgeOf(this.#scroller)
    const held: Held[] = []
    const cut: Held[] = []
    for (const row of this.#rows()) {
      const box = row.getBoundingClientRect()
      if (box.bottom <= edge) continue
      if (box.top >= bottom || held.length === MOST_HELD) break
      const id = row.dataset['row'] ?? ''
      ;(box.top < edge ? cut : held).push({ id, offset: unrounded(id, box.top - top, put) })
    }
    // A row of which only the end is in view would push down what one reads when it grows.
    this.#held = [...held, ...cut]
  }

  /** Goes to the end and stays there. */
  toEnd(): void {
    this.#isAtEnd = true
    this.#kept = undefined
    this.restore()
  }

  /** Goes to a row and holds it this many pixels below the upper edge. */
  toRow(id: string, offset: number): void {
    this.#isAtEnd = false
    this.#kept = undefined
    this.#held = [{ id, offset }]
    this.restore()
  }

  /** Holds a row where it is now, or this many pixels further up. */
  holdRow(id: string, by: number): void {
    const row = this.#scroller.querySelector(`[data-row="${id}"]`)
    if (row === null) return
    this.toRow(id, row.getBoundingClientRect().top - this.#scroller.getBoundingClientRect().top - by)
  }

  /** Holds a row where it is, also where the list becomes lower: as far as it then still is whole in view. */
  keepRow(id: string): void {
    const row = this.#scroller.querySelector(`[data-row="${id}"]`)
    if (row === null) return
    const offset = row.getBoundingClientRect().top - this.#scroller.getBoundingClientRect().top
    this.#held = [{ id, offset }]
    this.#kept = { height: this.#scroller.clientHeight, wasAtEnd: this.#isAtEnd, wasLower: false }
    this.#isAtEnd = false
  }

  /** Puts what is held back to its place: after something changed, and before that is painted. */
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
    for (const { id, offset } of this.#held) {
      const row = scroller.querySelector<HTMLElement>(`[data-row="${id}"]`)
      if (row === null) continue
      const box = row.getBoundingClientRect()
      scroller.scrollTop += box.top - top - Math.min(offset, this.#lowest(box.height))
      return
    }
  }

  /** How far down a row may begin: one that is kept ends in view, above the button that lies over the end of the list. */
  #lowest(height: number): number {
    const { clientHeight } = this.#scroller
    if (this.#kept === undefined || clientHeight >= this.#kept.height) return Infinity
    // The beginning of a row that is higher than the list is worth more than its end.
    return Math.max(
      upperEdgeOf(this.#scroller) - this.#scroller.getBoundingClientRect().top,
      clientHeight - height - COVERED_PIXELS,
    )
  }

  get #isAtBottom(): boolean {
    const { scrollTop, clientHeight, scrollHeight } = this.#scroller
    return scrollTop + clientHeight >= scrollHeight - END_PIXELS
  }

  #rows(): NodeListOf<HTMLElement> {
    return this.#scroller.querySelectorAll('[data-row]')
  }
}
