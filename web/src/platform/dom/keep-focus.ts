/**
 * Leaves the focus in a field when a button beside it is pressed, and a phone its keyboard: otherwise the button moves away
 * below the finger. It handles `mousedown` of what is around both.
 */
export function keepFocus(event: MouseEvent): void {
  if (event.target instanceof Element && event.target.closest('button') !== null) event.preventDefault()
}
