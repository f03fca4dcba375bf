import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { tl } from '../../kernel/later-texts.ts'
import { Icon } from '../dom/icons.tsx'
import { announce } from '../overlay/announce.tsx'
import './ordered.css'

interface OrderedListProps<Thing> {
  readonly label: string
  readonly things: readonly Thing[]
  readonly keyOf: (thing: Thing) => string | number
  readonly nameOf: (thing: Thing) => string
  readonly onOrder: (things: readonly Thing[]) => void
  readonly children: (thing: Thing) => ComponentChildren
}

export function OrderedList<Thing>({ label, things, keyOf, nameOf, onOrder, children }: OrderedListProps<Thing>) {
  const list = useRef<HTMLUListElement>(null)
  const [dragged, setDragged] = useState<number>()
  const moved = useRef<{ readonly to: number; readonly by: 1 | -1 } | undefined>(undefined)
  // Restores the focus, which a button loses when it moves with its row.
  useLayoutEffect(() => {
    if (moved.current === undefined) return
    const { to, by } = moved.current
    moved.current = undefined
    const buttons = [...(list.current?.children[to]?.querySelectorAll<HTMLButtonElement>('.order-button') ?? [])]
    buttons[by === -1 ? 0 : 1]?.focus()
  })
  const move = (from: number, to: number): void => {
    const thing = things[from]
    if (thing === undefined || from === to || to < 0 || to >= things.length) return
    onOrder(things.toSpliced(from, 1).toSpliced(to, 0, thing))
    announce(tl().views.movedTo(nameOf(thing), to + 1, things.length))
  }
  const step = (from: number, by: 1 | -1): void => {
    if (things[from + by] === undefined) return
    moved.current = { to: from + by, by }
    move(from, from + by)
  }
  return (
    <ul ref={list} aria-label={label}>
      {things.map((thing, index) => (
        <li
          key={keyOf(thing)}
          class={dragged === index ? 'ordered-row is-dragged' : 'ordered-row'}
          draggable
          onDragStart={({ dataTransfer }) => {
            dataTransfer?.setData('text/plain', nameOf(thing))
            setDragged(index)
          }}
          onDragOver={(event) => {
            if (dragged !== undefined) event.preventDefault()
          }}
          onDrop={(event) => {
            event.preventDefault()
            if (dragged !== undefined) move(dragged, index)
          }}
          onDragEnd={() => setDragged(undefined)}
        >
          {children(thing)}
          <OrderButton
            title={tl().views.moveUp(nameOf(thing))}
            isUp
            isOff={index === 0}
            onMove={() => step(index, -1)}
          />
          <OrderButton
            title={tl().views.moveDown(nameOf(thing))}
            isOff={index === things.length - 1}
            onMove={() => step(index, 1)}
          />
        </li>
      ))}
    </ul>
  )
}

interface OrderButtonProps {
  readonly title: string
  readonly isUp?: boolean
  readonly isOff: boolean
  readonly onMove: () => void
}

function OrderButton({ title, isUp = false, isOff, onMove }: OrderButtonProps) {
  return (
    <button
      class={isUp ? 'icon-button order-button is-up' : 'icon-button order-button'}
      type="button"
      aria-label={title}
      title={title}
      // Not `disabled`, because a disabled button would lose the focus at the end of the list.
      aria-disabled={isOff}
      onClick={onMove}
    >
      <Icon name="down" size={16} />
    </button>
  )
}
