interface NameFieldProps {
  readonly label: string
  readonly value: string
  readonly maxLength: number
  readonly onChange: (value: string) => void
}

/** The name field of a form. It is focused first, and rejects names that consist only of spaces. */
export function NameField({ label, value, maxLength, onChange }: NameFieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        class="input"
        required
        autofocus
        dir="auto"
        pattern=".*\S.*"
        maxLength={maxLength}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </label>
  )
}
