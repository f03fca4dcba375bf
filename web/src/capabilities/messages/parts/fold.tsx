import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { t } from '../../../kernel/strings.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { chooseFold, chosenFold, type FoldKey } from '../folds.ts'
import { openList } from '../open-list.ts'
import './fold.css'

/** What is higher is folded. The style sheet has the same number, so that a row is as high before this is known. */
const MOST_EM = 40

interface FoldProps {
  readonly id: FoldKey
  /** One came for something in it, so that it is open until one folds it. */
  readonly isSought: boolean
  readonly children: ComponentChildren
}

/** Shows the beginning of what is high, and all of it when that is wanted. */
export function Fold({ id, isSought, children }: FoldProps) {
  const box = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  // How far what one looks at moved by folding or unfolding, known once that is drawn.
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
    if (by !== undefined) openList.peek()?.hold(id, by)
  }, [isOpen])
  const toggle = (): void => {
    const top = topOf(button.current)
    // One reads on where it was folded, and folds it where one was.
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
          // The focus or the browser's own search went to what is folded away.
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

const watched = new Map<Element, (isHigh: boolean) => void>()

/** One for all messages. It tells heights that the browser has found already, before they are painted. */
const observer = new ResizeObserver((entries) => {
  const [first] = entries
  if (first === undefined) return
  const most = MOST_EM * Number.parseFloat(getComputedStyle(first.target).fontSize)
  for (const { target, contentRect } of entries) watched.get(target)?.(contentRect.height > most)
})

/** Tells whether an element is too high, now and whenever that changes. @returns what ends that */
function watchHeight(element: Element, tell: (isHigh: boolean) => void): () => void {
  watched.set(element, tell)
  observer.observe(element)
  return () => {
    watched.delete(element)
    observer.unobserve(element)
  }
}
