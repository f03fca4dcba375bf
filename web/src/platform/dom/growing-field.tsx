import type { ComponentChildren } from 'preact'
import './growing-field.css'

/** Browsers that support `field-sizing` do not need the copy of the text. */
const GROWS_BY_ITSELF = CSS.supports('field-sizing', 'content')

interface GrowingFieldProps {
  readonly text: string
  readonly children: ComponentChildren
}

/**
 * A field as high as its text. For Safari before 26.2, which lacks `field-sizing`, an invisible copy of the text behind
 * the field sets the height, so that a key press measures nothing.
 */
export function GrowingField({ text, children }: GrowingFieldProps) {
  return (
    <div class="growing" data-text={GROWS_BY_ITSELF ? undefined : text}>
      {children}
    </div>
  )
}

/**
 * Keeps the focus in a field, and a phone's keyboard open, when a button beside it is pressed. Otherwise, the button
 * would move away from under the finger. Handles `mousedown` on the element around both.
 */
export function keepFocus(event: MouseEvent): void {
  if (event.target instanceof Element && event.target.closest('button') !== null) event.preventDefault()
}
