import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Icon } from '../dom/icons.tsx'
import { Rows } from './rows.tsx'
import './opened-list.css'

interface OpenedListProps<Thing> {
  readonly label: string
  readonly things: readonly Thing[]
  readonly idOf: (thing: Thing) => number
  readonly height: number
  readonly row: (thing: Thing) => ComponentChildren
  readonly filter: ComponentChildren
  /** Label of the create button; undefined if the user cannot create an item. */
  readonly create: string | undefined
  /** Renders a dialog that closes with the ID of the new item, which is then opened. */
  readonly making: (onClose: (id?: number) => void) => ComponentChildren
  readonly opened: (id: number, onClose: () => void) => ComponentChildren
  readonly children?: ComponentChildren
}

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
