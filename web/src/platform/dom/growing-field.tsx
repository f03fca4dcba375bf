import type { ComponentChildren } from 'preact'
import './growing-field.css'

/** Where a browser gives a field the size of its text by itself, nothing is written a second time. */
const GROWS_BY_ITSELF = CSS.supports('field-sizing', 'content')

interface GrowingFieldProps {
  /** What the field says. */
  readonly text: string
  /** The field. */
  readonly children: ComponentChildren
}

/**
 * A field that is as high as its text. Safari before 26.2 cannot do that by itself: there the text lies a second time behind the
 * field, unseen, and gives both their height, so that nothing is measured when a key is pressed.
 */
export function GrowingField({ text, children }: GrowingFieldProps) {
  return (
    <div class="growing" data-text={GROWS_BY_ITSELF ? undefined : text}>
      {children}
    </div>
  )
}
