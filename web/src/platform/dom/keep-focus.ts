/**
 * Keeps the focus in a field, and a phone's keyboard open, when a button beside it is pressed. Otherwise, the button
 * would move away from under the finger. Handles `mousedown` on the element around both.
 */
export function keepFocus(event: MouseEvent): void {
  if (event.target instanceof Element && event.target.closest('button') !== null) event.preventDefault()
}
