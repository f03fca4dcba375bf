import type { ComponentChildren } from 'preact'

interface AddRowProps {
  readonly action: string
  readonly onAdd: () => void
  readonly children: ComponentChildren
}

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
