import { useEffect, useState } from 'preact/hooks'
import type { RefObject } from 'preact'

const MOST = 8
const STEP = 1.5

export interface Zooming {
  /** How many times as large as it fits the stage. */
  readonly zoom: number
  readonly zoomIn: () => void
  readonly zoomOut: () => void
  readonly fit: () => void
}

/**
 * Lets a stage be zoomed by the wheel and by two fingers; the browser scrolls what does not fit.
 * @param key of what is on the stage, which is fitted again when it is something else
 */
export function useZooming(stage: RefObject<HTMLElement | null>, key: string): Zooming {
  const [zoom, setZoom] = useState(1)
  const by = (factor: number): void => setZoom((now) => Math.min(MOST, Math.max(1, now * factor)))
  useEffect(() => setZoom(1), [key])
  useEffect(() => {
    const element = stage.current
    if (element === null) return undefined
    let apart = 0
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault()
      by(event.deltaY < 0 ? 1.15 : 1 / 1.15)
    }
    const onTouch = (event: TouchEvent): void => {
      const [one, other] = event.touches
      if (one === undefined || other === undefined) return
      event.preventDefault()
      const now = Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY)
      if (event.type === 'touchmove' && apart > 0) by(now / apart)
      apart = now
    }
    // The browser would otherwise zoom the whole page.
    element.addEventListener('wheel', onWheel, { passive: false })
    element.addEventListener('touchstart', onTouch, { passive: false })
    element.addEventListener('touchmove', onTouch, { passive: false })
    return () => {
      element.removeEventListener('wheel', onWheel)
      element.removeEventListener('touchstart', onTouch)
      element.removeEventListener('touchmove', onTouch)
    }
  }, [stage])
  return { zoom, zoomIn: () => by(STEP), zoomOut: () => by(1 / STEP), fit: () => setZoom(1) }
}
