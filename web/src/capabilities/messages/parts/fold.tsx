import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { t } from '../../../kernel/strings.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { chooseFold, chosenFold, openedList, type FoldKey } from '../open-list.ts'
import './fold.css'

/** Taller messages are collapsed. The stylesheet repeats the value, so that rows have their final height earlier. */
const MAX_UNFOLDED_HEIGHT_EM = 40

interface FoldProps {
  readonly id: FoldKey
  /** Whether a link or search led to this message, so that it starts expanded. */
  readonly isSought: boolean
  readonly children: ComponentChildren
}

export function Fold({ id, isSought, children }: FoldProps) {
  const box = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  // Computes, after rendering, by how much the toggle moved the reader's position.
  const moved = useRef<(() => number) | undefined>(undefined)
  const boxId = useId()
  const [isHigh, setHigh] = useState(false)
  const isOpen = chosenFold(id) ?? isSought
  useLayoutEffect(() => {
    const inner = box.current?.firstElementChild
    return inner === null || inner === undefined ? undefined : watchHeight(inner, setHigh)
  }, [])
  useLayoutEffect(() => {
    const by = moved.current?.()
    moved.current = undefined
    if (by !== undefined) openedList.peek()?.hold(id, by)
  }, [isOpen])
  const toggle = (): void => {
    const top = topOf(button.current)
    // Collapsing keeps the button in place; expanding keeps the text in place.
    moved.current = isOpen ? () => topOf(button.current) - top : () => 0
    chooseFold(id, !isOpen)
  }
  const classes = ['fold', isOpen ? 'is-open' : isHigh && 'is-folded']
  return (
    <div class="fold-frame">
      <div
        ref={box}
        id={boxId}
        class={classes.filter(Boolean).join(' ')}
        onScroll={({ currentTarget }) => {
          // Expands the message if focus or the browser's find function scrolled to collapsed content.
          const { scrollTop: by } = currentTarget
          if (by === 0) return
          currentTarget.scrollTop = 0
          moved.current = () => by
          chooseFold(id, true)
        }}
      >
        <div class="fold-content">{children}</div>
      </div>
      {isHigh && (
        <button ref={button} class="fold-button" aria-expanded={isOpen} aria-controls={boxId} onClick={toggle}>
          {isOpen ? t().messages.showLess : t().messages.showMore}
          <Icon name="chevron" size={14} />
        </button>
      )}
    </div>
  )
}

function topOf(element: Element | null): number {
  return element?.getBoundingClientRect().top ?? 0
}

const heightListeners = new Map<Element, (isHigh: boolean) => void>()

/** Runs before the paint, so that tall messages do not flash. */
const heightObserver = new ResizeObserver((entries) => {
  const [first] = entries
  if (first === undefined) return
  const most = MAX_UNFOLDED_HEIGHT_EM * Number.parseFloat(getComputedStyle(first.target).fontSize)
  for (const { target, contentRect } of entries) heightListeners.get(target)?.(contentRect.height > most)
})

function watchHeight(element: Element, onResize: (isHigh: boolean) => void): () => void {
  heightListeners.set(element, onResize)
  heightObserver.observe(element)
  return () => {
    heightListeners.delete(element)
    heightObserver.unobserve(element)
  }
}
