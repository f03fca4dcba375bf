const EDGE = 8
const GAP = 4

export function placeBeside(element: HTMLElement, from: HTMLElement): void {
  const { left, right, top, bottom } = from.getBoundingClientRect()
  const { width, height } = element.getBoundingClientRect()
  const isMirrored = getComputedStyle(element).direction === 'rtl'
  const isRoomBelow = bottom + GAP + height <= window.innerHeight - EDGE
  placeAt(element, { x: isMirrored ? right - width : left, y: isRoomBelow ? bottom + GAP : top - height - GAP })
}

export function placeAt(element: HTMLElement, { x, y }: { readonly x: number; readonly y: number }): void {
  const { width, height } = element.getBoundingClientRect()
  element.style.left = `${Math.max(EDGE, Math.min(x, window.innerWidth - width - EDGE))}px`
  element.style.top = `${Math.max(EDGE, Math.min(y, window.innerHeight - height - EDGE))}px`
}
