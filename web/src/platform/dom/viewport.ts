/** A smaller difference is a browser bar, not a keyboard. */
const LEAST_KEYBOARD_PIXELS = 80

/**
 * Ends the layout above a phone's keyboard in browsers that do not shrink the page as requested. Only the visual
 * viewport shows the keyboard there. Zoomed pages stay unchanged.
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
      // These browsers also scroll the page to the field.
      window.scrollTo(0, 0)
    }
  })
}
