/** Touch duration that opens the menu. */
const LONG_PRESS_MILLISECONDS = 500
/** Movement in pixels that still counts as resting. */
const STILL_PIXELS = 10

/** Detects a long press. Links and pictures keep the browser's own menu. */
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

/** Some browsers click on release, which would choose a menu item below the finger. */
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
