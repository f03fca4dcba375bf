import type { ComponentChildren } from 'preact'
import './listbox.css'

interface ListboxProps<Item> {
  readonly id: string
  readonly label: string
  readonly items: readonly Item[]
  /** Index of the active item; -1 if no item is active. */
  readonly chosen: number
  readonly keyOf: (item: Item) => string
  readonly isDisabled?: (item: Item) => boolean
  readonly onChoose: (item: Item) => void
  readonly children: (item: Item) => ComponentChildren
}

/** List below a field. The field keeps the focus and refers to the active item. */
export function Listbox<Item>(props: ListboxProps<Item>) {
  const { id, label, items, chosen, keyOf, isDisabled = () => false, onChoose, children } = props
  return (
    <ul id={id} class="listbox" role="listbox" aria-label={label} onMouseDown={stayInField}>
      {items.map((item, index) => (
        <li
          key={keyOf(item)}
          id={optionId(id, index)}
          class="option"
          role="option"
          aria-selected={index === chosen}
          aria-disabled={isDisabled(item)}
          onClick={() => isDisabled(item) || onChoose(item)}
        >
          {children(item)}
        </li>
      ))}
    </ul>
  )
}

/** Keeps a list open until the click. If the press closed it, the click would hit whatever is behind the list. */
export function stayInField(event: MouseEvent): void {
  event.preventDefault()
}

export function optionId(list: string, index: number): string {
  return `${list}-${index}`
}

export function indexAfterKey(key: string, at: number, count: number): number | undefined {
  if (count === 0) return undefined
  if (key === 'ArrowDown') return (at + 1) % count
  if (key === 'ArrowUp') return at <= 0 ? count - 1 : at - 1
  return undefined
}
