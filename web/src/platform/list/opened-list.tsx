import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Icon } from '../dom/icons.tsx'
import { Rows } from './rows.tsx'
import './opened-list.css'

interface OpenedListProps<Thing> {
  readonly label: string
  readonly things: readonly Thing[]
  readonly idOf: (thing: Thing) => number
  /** All rows are equally high, in pixels. */
  readonly height: number
  /** What stands in a row. */
  readonly row: (thing: Thing) => ComponentChildren
  /** What narrows the list. */
  readonly filter: ComponentChildren
  /** What the button says by which one makes another; undefined where one may not. */
  readonly create: string | undefined
  /** The dialog in which one is made. It is closed with the id of what was made, which is opened then. */
  readonly making: (onClose: (id?: number) => void) => ComponentChildren
  /** The dialog of one of them. */
  readonly opened: (id: number, onClose: () => void) => ComponentChildren
  /** What is said of the list, above it. */
  readonly children?: ComponentChildren
}

/** A list that one narrows, of which each row is opened in a dialog, and to which one adds. */
export function OpenedList<Thing>({
  label,
  things,
  idOf,
  height,
  row,
  filter,
  create,
  making,
  opened,
  children,
}: OpenedListProps<Thing>) {
  const [open, setOpen] = useState<number>()
  const [isMaking, setMaking] = useState(false)
  return (
    <div class="form">
      <div class="opened-list-filter">
        {filter}
        {create !== undefined && (
          <button class="button primary" onClick={() => setMaking(true)}>
            <Icon name="plus" size={16} />
            {create}
          </button>
        )}
      </div>
      {children}
      <Rows things={things} keyOf={idOf} height={height} label={label}>
        {(thing) => (
          <button class="person-row" onClick={() => setOpen(idOf(thing))}>
            {row(thing)}
          </button>
        )}
      </Rows>
      {isMaking &&
        making((id) => {
          setMaking(false)
          setOpen(id)
        })}
      {open !== undefined && opened(open, () => setOpen(undefined))}
    </div>
  )
}
