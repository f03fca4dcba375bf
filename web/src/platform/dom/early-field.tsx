import { useLayoutEffect, useRef } from 'preact/hooks'

let typed = ''

interface EarlyFieldProps {
  readonly label: string
  readonly class: string
}

/**
 * Stands where a part is being loaded in which people type at once, such as a search they open by a key: what they type
 * meanwhile is kept for that part.
 */
export function EarlyField({ label, class: name }: EarlyFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    typed = ''
    field.current?.focus()
  }, [])
  return (
    <input
      ref={field}
      class={name}
      aria-label={label}
      autocomplete="off"
      onInput={(event) => {
        typed = event.currentTarget.value
      }}
    />
  )
}

/** What was typed until the part was there; it is handed on once. */
export function takeTypedEarly(): string {
  const taken = typed
  typed = ''
  return taken
}
