import type { Point } from '../../kernel/capability.ts'

const EDGE_MARGIN_PIXELS = 8
const GAP_PIXELS = 4

/** Last position of each opener: some openers disappear, such as a message's buttons when the pointer leaves them. */
const openerPositions = new WeakMap<HTMLElement, DOMRect>()

/** @param at position to use instead, if the pointer opened the popup */
export function placeBeside(element: HTMLElement, from: HTMLElement, at?: Point): void {
  if (at !== undefined) return placeAt(element, at)
  const place = (!from.isConnected && openerPositions.get(from)) || from.getBoundingClientRect()
  openerPositions.set(from, place)
  const { left, right, top, bottom } = place
  const { width, height } = element.getBoundingClientRect()
  const isMirrored = getComputedStyle(element).direction === 'rtl'
  const isRoomBelow = bottom + GAP_PIXELS + height <= window.innerHeight - EDGE_MARGIN_PIXELS
  placeAt(element, {
    x: isMirrored ? right - width : left,
    y: isRoomBelow ? bottom + GAP_PIXELS : top - height - GAP_PIXELS,
  })
}

export function placeAt(element: HTMLElement, { x, y }: Point): void {
  const { width, height } = element.getBoundingClientRect()
  element.style.left = `${Math.max(EDGE_MARGIN_PIXELS, Math.min(x, window.innerWidth - width - EDGE_MARGIN_PIXELS))}px`
  element.style.top = `${Math.max(EDGE_MARGIN_PIXELS, Math.min(y, window.innerHeight - height - EDGE_MARGIN_PIXELS))}px`
}
