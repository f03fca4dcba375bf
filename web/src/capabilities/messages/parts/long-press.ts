/** How long a finger rests on a message until its menu opens. */
const LONG_PRESS_MILLISECONDS = 500
/** A finger is never quite still. */
const STILL_PIXELS = 10

/** Calls when a finger rests where it was put down. Links and pictures have a menu of the browser. */
export function onLongPress(event: PointerEvent, pressed: (at: { x: number; y: number }) => void): void {
  const { pointerType, target, clientX: x, clientY: y } = event
  if (pointerType !== 'touch' || !(target instanceof Element)) return
  if (target.closest('a, img, button, textarea') !== null) return
  const listening = new AbortController()
  const end = (): void => {
    clearTimeout(timer)
    listening.abort()
  }
  const timer = setTimeout(() => {
    end()
    swallowClick()
    pressed({ x, y })
  }, LONG_PRESS_MILLISECONDS)
  const options = { signal: listening.signal }
  const moved = (now: PointerEvent): void => {
    if (Math.hypot(now.clientX - x, now.clientY - y) > STILL_PIXELS) end()
  }
  window.addEventListener('pointermove', moved, options)
  for (const type of ['pointerup', 'pointercancel', 'scroll']) {
    window.addEventListener(type, end, { ...options, capture: true })
  }
}

/** Some browsers click when the finger leaves, which would choose what has opened below it. */
function swallowClick(): void {
  const listening = new AbortController()
  const options = { capture: true, once: true, signal: listening.signal }
  window.addEventListener('pointerdown', () => listening.abort(), options)
  window.addEventListener(
    'click',
    (event) => {
      event.preventDefault()
      event.stopPropagation()
      listening.abort()
    },
    options,
  )
}
