import type { ComponentChildren } from 'preact'
import './growing-field.css'

const SUPPORTS_FIELD_SIZING = CSS.supports('field-sizing', 'content')

interface GrowingFieldProps {
  readonly text: string
  readonly children: ComponentChildren
}

/** Safari before 26.2 lacks `field-sizing`, so a hidden copy of the text sets the height, without measuring. */
export function GrowingField({ text, children }: GrowingFieldProps) {
  return (
    <div class="growing" data-text={SUPPORTS_FIELD_SIZING ? undefined : text}>
      {children}
    </div>
  )
}

/** Keeps the focus in a field when a button is pressed. A blur would close a phone's keyboard and move the button. */
export function keepFocus(event: MouseEvent): void {
  if (event.target instanceof Element && event.target.closest('button') !== null) event.preventDefault()
}
