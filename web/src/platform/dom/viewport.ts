/** A smaller difference is a browser bar, not a keyboard. */
const LEAST_KEYBOARD_PIXELS = 80

/**
 * Ends the layout above a phone's keyboard. Most browsers shrink the page as requested. In other browsers, the keyboard
 * covers the page, and only the visual viewport shows that. Zoomed pages are left unchanged.
 */
export function followKeyboard(): void {
  const { visualViewport: viewport } = window
  if (viewport === null) return
  const { style } = document.documentElement
  viewport.addEventListener('resize', () => {
    const isCovered = viewport.scale === 1 && window.innerHeight - viewport.height > LEAST_KEYBOARD_PIXELS
    if (!isCovered) style.removeProperty('--seen-height')
    else {
      style.setProperty('--seen-height', `${viewport.height}px`)
      // These browsers also scroll the page to the field, which is no longer necessary.
      window.scrollTo(0, 0)
    }
  })
}
