/** A smaller difference is a browser bar, not a keyboard. */
const MIN_KEYBOARD_PIXELS = 80

/** Not all browsers shrink the page above a phone's keyboard, but all shrink the visual viewport. */
export function followKeyboard(): void {
  const { visualViewport: viewport } = window
  if (viewport === null) return
  const { style } = document.documentElement
  viewport.addEventListener('resize', () => {
    const isCovered = viewport.scale === 1 && window.innerHeight - viewport.height > MIN_KEYBOARD_PIXELS
    if (!isCovered) style.removeProperty('--seen-height')
    else {
      style.setProperty('--seen-height', `${viewport.height}px`)
      window.scrollTo(0, 0)
    }
  })
}
