import { useRef } from 'preact/hooks'

interface FileButtonProps {
  readonly label: string
  /** A shorter text, for a row that already contains the full label. */
  readonly text?: string
  readonly isDisabled?: boolean
  readonly accept: string
  readonly onFile: (file: File) => void
}

export function FileButton({ label, text = label, isDisabled = false, accept, onFile }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        class="visually-hidden"
        type="file"
        accept={accept}
        tabIndex={-1}
        aria-label={label}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          currentTarget.value = ''
          if (file !== undefined) onFile(file)
        }}
      />
      <button
        class="button"
        type="button"
        aria-label={label}
        disabled={isDisabled}
        onClick={() => input.current?.click()}
      >
        {text}
      </button>
    </>
  )
}
