import type { ComponentChildren } from 'preact'
import './listbox.css'

interface ListboxProps<Item> {
  readonly id: string
  readonly label: string
  readonly items: readonly Item[]
  /** The item that Enter takes; none at -1. */
  readonly chosen: number
  readonly keyOf: (item: Item) => string
  /** Those that are shown and cannot be chosen. */
  readonly isDisabled?: (item: Item) => boolean
  readonly onChoose: (item: Item) => void
  readonly children: (item: Item) => ComponentChildren
}

/** What a field offers while one types, above or below it; the field keeps the focus and names the chosen item. */
export function Listbox<Item>(props: ListboxProps<Item>) {
  const { id, label, items, chosen, keyOf, isDisabled = () => false, onChoose, children } = props
  return (
    <ul id={id} class="listbox" role="listbox" aria-label={label}>
      {items.map((item, index) => (
        <li
          key={keyOf(item)}
          id={optionId(id, index)}
          class="option"
          role="option"
          aria-selected={index === chosen}
          aria-disabled={isDisabled(item)}
          // Before the field loses the focus, which would close the list.
          onPointerDown={(event) => {
            event.preventDefault()
            if (!isDisabled(item)) onChoose(item)
          }}
        >
          {children(item)}
        </li>
      ))}
    </ul>
  )
}

/** Names an item, for the field's `aria-activedescendant`. */
export function optionId(list: string, index: number): string {
  return `${list}-${index}`
}

/** Where the arrows lead in a list of so many items; undefined for other keys. */
export function movedBy(key: string, at: number, count: number): number | undefined {
  if (count === 0) return undefined
  if (key === 'ArrowDown') return (at + 1) % count
  if (key === 'ArrowUp') return at <= 0 ? count - 1 : at - 1
  return undefined
}
