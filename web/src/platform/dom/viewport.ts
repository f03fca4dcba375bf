/** Less is a bar of the browser, and not a keyboard. */
const LEAST_KEYBOARD_PIXELS = 80

/**
 * Has the frame end above the keyboard of a phone. Most browsers make the page smaller when it opens, as the page asks them to;
 * others lay it over the page, and only the visual viewport says so. A page that is zoomed into is left as it is.
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
      // They also scroll the page, so that the field is seen, which it now is by itself.
      window.scrollTo(0, 0)
    }
  })
}
