import { useLayoutEffect, useRef } from 'preact/hooks'

let typedText = ''

interface LoadingFieldProps {
  readonly label: string
  readonly class: string
  readonly text?: string
}

/** Collects text typed while a component, such as the search, loads. The component then takes over the text. */
export function LoadingField({ label, class: name, text = '' }: LoadingFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    typedText = text
    field.current?.focus()
  }, [])
  return (
    <input
      ref={field}
      class={name}
      aria-label={label}
      autocomplete="off"
      defaultValue={text}
      onInput={(event) => {
        typedText = event.currentTarget.value
      }}
    />
  )
}

export function takeTypedText(): string {
  const taken = typedText
  typedText = ''
  return taken
}
