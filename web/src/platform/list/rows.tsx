import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

interface RowsProps<Thing> {
  readonly things: readonly Thing[]
  /** Returns a stable key, so that hover and focus stay on an item when other items change. */
  readonly keyOf: (thing: Thing) => number | string
  readonly height: number
  readonly label: string
  readonly children: (thing: Thing) => ComponentChildren
}

const EXTRA_ROWS = 8

/** List that keeps only the rows in view in the DOM. */
export function Rows<Thing>({ things, keyOf, height, label, children }: RowsProps<Thing>) {
  const list = useRef<HTMLUListElement>(null)
  const [[first, last], setRange] = useState<readonly [number, number]>([0, EXTRA_ROWS * 4])
  useEffect(() => {
    const scroller = scrollerOf(list.current)
    const update = (): void => {
      if (list.current === null || scroller === undefined) return
      const above = scroller.getBoundingClientRect().top - list.current.getBoundingClientRect().top
      const from = Math.max(0, Math.floor(above / height) - EXTRA_ROWS)
      const to = Math.ceil((above + scroller.clientHeight) / height) + EXTRA_ROWS
      setRange((before) => (before[0] === from && before[1] === to ? before : [from, to]))
    }
    update()
    scroller?.addEventListener('scroll', update, { passive: true })
    window.addEventListener('resize', update)
    return () => {
      scroller?.removeEventListener('scroll', update)
      window.removeEventListener('resize', update)
    }
  }, [things.length, height])
  const shown = things.slice(first, last)
  return (
    <ul
      ref={list}
      class="rows"
      aria-label={label}
      style={{
        paddingBlockStart: `${Math.min(first, things.length) * height}px`,
        paddingBlockEnd: `${Math.max(0, things.length - last) * height}px`,
      }}
    >
      {shown.map((thing, index) => (
        <li
          key={keyOf(thing)}
          style={{ blockSize: `${height}px` }}
          aria-setsize={things.length}
          aria-posinset={first + index + 1}
        >
          {children(thing)}
        </li>
      ))}
    </ul>
  )
}

function scrollerOf(element: HTMLElement | null): HTMLElement | undefined {
  for (let parent = element?.parentElement; parent !== null && parent !== undefined; parent = parent.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(parent).overflowY)) return parent
  }
  return undefined
}
