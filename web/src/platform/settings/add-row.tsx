import type { ComponentChildren } from 'preact'

interface AddRowProps {
  /** What the button says that adds it. */
  readonly action: string
  readonly onAdd: () => void
  /** The field in which it is chosen or written. */
  readonly children: ComponentChildren
}

/** Where one more is added to a list: a field, and the button behind it. */
export function AddRow({ action, onAdd, children }: AddRowProps) {
  return (
    <form
      class="listed-add"
      onSubmit={(event) => {
        event.preventDefault()
        onAdd()
      }}
    >
      {children}
      <button class="button" type="submit">
        {action}
      </button>
    </form>
  )
}
