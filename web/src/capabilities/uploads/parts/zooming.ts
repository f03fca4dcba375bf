import { useEffect, useState } from 'preact/hooks'
import type { RefObject } from 'preact'

const MAX_ZOOM = 8
const ZOOM_STEP = 1.5
const MIN_SWIPE_PIXELS = 60

export interface ZoomControls {
  /** Zoom factor relative to the fitted size. */
  readonly zoom: number
  readonly zoomIn: () => void
  readonly zoomOut: () => void
  readonly fit: () => void
}

interface Point {
  readonly x: number
  readonly y: number
}

/**
 * Sets the size immediately, so that the point under the fingers stays in place.
 * @param key identifies the content; new content is fitted again
 * @param onSwipe called when a fitted picture is swiped left (-1) or right
 */
export function useZooming(
  stage: RefObject<HTMLElement | null>,
  key: string,
  onSwipe: (to: -1 | 1) => void,
): ZoomControls {
  const [zoom, setZoom] = useState(1)
  const set = (next: number, at?: Point): void => {
    if (stage.current === null) return
    setZoom(resizeContent(stage.current, next, at))
  }
  const by = (factor: number, at?: Point): void => {
    if (stage.current !== null) set(currentZoom(stage.current) * factor, at)
  }
  useEffect(() => set(1), [key])
  useEffect(() => {
    const element = stage.current
    if (element === null) return undefined
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault()
      by(event.deltaY < 0 ? 1.15 : 1 / 1.15, { x: event.clientX, y: event.clientY })
    }
    // A passive listener could not keep the browser from zooming the page.
    element.addEventListener('wheel', onWheel, { passive: false })
    const release = handlePointers(element, by, onSwipe)
    return () => {
      element.removeEventListener('wheel', onWheel)
      release()
    }
  }, [stage])
  return { zoom, zoomIn: () => by(ZOOM_STEP), zoomOut: () => by(1 / ZOOM_STEP), fit: () => set(1) }
}

function currentZoom(stage: HTMLElement): number {
  return Number(stage.style.getPropertyValue('--zoom') || 1)
}

function resizeContent(stage: HTMLElement, wanted: number, at?: Point): number {
  const box = stage.getBoundingClientRect()
  const x = at === undefined ? box.width / 2 : at.x - box.left
  const y = at === undefined ? box.height / 2 : at.y - box.top
  const share = { x: (stage.scrollLeft + x) / stage.scrollWidth, y: (stage.scrollTop + y) / stage.scrollHeight }
  const zoom = Math.min(MAX_ZOOM, Math.max(1, wanted))
  stage.style.setProperty('--zoom', `${zoom}`)
  stage.scrollTo(share.x * stage.scrollWidth - x, share.y * stage.scrollHeight - y)
  return zoom
}

function handlePointers(
  stage: HTMLElement,
  zoomBy: (factor: number, at: Point) => void,
  onSwipe: (to: -1 | 1) => void,
): () => void {
  const fingers = new Map<number, Point>()
  let begin: Point | undefined
  const onDown = (event: PointerEvent): void => {
    if (event.button !== 0) return
    fingers.set(event.pointerId, pointOf(event))
    begin = fingers.size === 1 && currentZoom(stage) === 1 ? pointOf(event) : undefined
    stage.setPointerCapture(event.pointerId)
  }
  const onMove = (event: PointerEvent): void => {
    if (!fingers.has(event.pointerId)) return
    const before = measureFingers(fingers)
    fingers.set(event.pointerId, pointOf(event))
    const now = measureFingers(fingers)
    stage.scrollBy(before.middle.x - now.middle.x, before.middle.y - now.middle.y)
    if (before.apart > 0 && now.apart > 0) zoomBy(now.apart / before.apart, now.middle)
  }
  const onEnd = (event: PointerEvent): void => {
    if (!fingers.delete(event.pointerId) || begin === undefined) return
    const moved = { x: event.clientX - begin.x, y: event.clientY - begin.y }
    begin = undefined
    if (event.type === 'pointerup' && Math.abs(moved.x) > MIN_SWIPE_PIXELS && Math.abs(moved.x) > 2 * Math.abs(moved.y))
      onSwipe(moved.x < 0 ? -1 : 1)
  }
  const listeners = { pointerdown: onDown, pointermove: onMove, pointerup: onEnd, pointercancel: onEnd }
  // Safe: each listener accepts its own event type.
  const all = Object.entries(listeners) as [string, (event: Event) => void][]
  for (const [type, listener] of all) stage.addEventListener(type, listener)
  return () => {
    for (const [type, listener] of all) stage.removeEventListener(type, listener)
  }
}

const pointOf = ({ clientX: x, clientY: y }: PointerEvent): Point => ({ x, y })

/** `apart` is the distance between two fingers. */
function measureFingers(fingers: ReadonlyMap<number, Point>): { readonly middle: Point; readonly apart: number } {
  const [one = { x: 0, y: 0 }, other = one] = [...fingers.values()]
  return {
    middle: { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 },
    apart: Math.hypot(one.x - other.x, one.y - other.y),
  }
}
