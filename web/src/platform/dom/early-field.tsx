import { useLayoutEffect, useRef } from 'preact/hooks'

let typed = ''

interface LoadingFieldProps {
  readonly label: string
  readonly class: string
}

/** Accepts typing while a part loads, such as a search opened by key. The loaded part takes over the text. */
export function LoadingField({ label, class: name }: LoadingFieldProps) {
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

export function takeTypedText(): string {
  const taken = typed
  typed = ''
  return taken
}
