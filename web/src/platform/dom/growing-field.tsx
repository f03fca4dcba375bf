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
