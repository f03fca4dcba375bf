/** What lies over the page keeps so far from its edges. */
const EDGE = 8
const GAP = 4

/** Puts something that lies over the page below the element that it belongs to, or above it where there is no room. */
export function placeBeside(element: HTMLElement, from: HTMLElement): void {
  const { left, top, bottom } = from.getBoundingClientRect()
  const { width, height } = element.getBoundingClientRect()
  const isRoomBelow = bottom + GAP + height <= window.innerHeight - EDGE
  const wanted = isRoomBelow ? bottom + GAP : top - height - GAP
  element.style.left = `${Math.max(EDGE, Math.min(left, window.innerWidth - width - EDGE))}px`
  element.style.top = `${Math.max(EDGE, Math.min(wanted, window.innerHeight - height - EDGE))}px`
}
