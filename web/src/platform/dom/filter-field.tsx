interface FilterFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly autofocus?: boolean
  readonly maxLength?: number | undefined
}

export function FilterField({ label, value, onChange, autofocus = false, maxLength }: FilterFieldProps) {
  return (
    <input
      class="input"
      type="search"
      aria-label={label}
      placeholder={label}
      value={value}
      autofocus={autofocus}
      maxLength={maxLength}
      onInput={(event) => onChange(event.currentTarget.value)}
    />
  )
}
