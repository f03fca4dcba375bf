import { effect, useSignal, type Signal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { RefObject } from 'preact'
import { messages } from '../../../platform/client.ts'
import { ScrollAnchor } from '../../../platform/list/anchor.ts'
import type { MessageWindow } from '../../../platform/messages/window.ts'
import { Reading } from '../reading.ts'

/** So many screens before an edge the messages behind it are asked for. */
const AHEAD_SCREENS = 1.5

/** What the reader has to do so that what is in view counts as read. */
const ACTS = ['wheel', 'pointermove', 'pointerdown', 'keydown', 'touchmove'] as const

interface Scrolling {
  /** Messages that arrived below what is in view. */
  readonly unseen: Signal<number>
  readonly isAtEnd: Signal<boolean>
  readonly toEnd: () => void
}

/** Scrolls a list: opens it where reading goes on, holds what is read in its place, and has more read at the edges. */
export function useScrolling(
  list: RefObject<HTMLDivElement | null>,
  window: MessageWindow,
  marksNothing: boolean,
): Scrolling {
  const unseen = useSignal(0)
  const isAtEnd = useSignal(true)
  const anchor = useRef<ScrollAnchor | undefined>(undefined)
  const opened = useRef(0)
  const last = useRef<number | undefined>(undefined)
  const ids = window.ids.value

  useLayoutEffect(() => {
    const { current: scroller } = list
    if (scroller === null) return undefined
    const held = (anchor.current = new ScrollAnchor(scroller))
    const reading = marksRead(window) && !marksNothing ? new Reading(scroller) : undefined
    const note = (): void => {
      held.note(window.atNewest.peek())
      isAtEnd.value = held.isAtEnd
      if (held.isAtEnd) unseen.value = 0
      reading?.look()
      readAhead(scroller, window)
    }
    const acted = (): void => reading?.acted()
    const look = (): void => reading?.look()
    const resized = new ResizeObserver(() => {
      held.restore()
      note()
    })
    resized.observe(scroller)
    const { firstElementChild: rows } = scroller
    if (rows !== null) resized.observe(rows)
    scroller.addEventListener('scroll', note, { passive: true })
    for (const act of ACTS) globalThis.addEventListener(act, acted, { passive: true })
    globalThis.addEventListener('focus', look)
    return () => {
      resized.disconnect()
      reading?.stop()
      scroller.removeEventListener('scroll', note)
      for (const act of ACTS) globalThis.removeEventListener(act, acted)
      globalThis.removeEventListener('focus', look)
    }
  }, [window])

  useLayoutEffect(() => {
    const { current: scroller } = list
    const { current: held } = anchor
    if (scroller === null || held === undefined || ids.length === 0) return
    const newest = ids.at(-1)
    if (opened.current !== window.openings.value) {
      opened.current = window.openings.value
      openAt(scroller, held, window)
    } else {
      if (!held.isAtEnd && last.current !== undefined) {
        const { current: seen } = last
        unseen.value += ids.filter((id) => id > seen && window.atNewest.peek()).length
      }
      held.restore()
    }
    last.current = newest
    held.note(window.atNewest.peek())
    isAtEnd.value = held.isAtEnd
    readAhead(scroller, window)
  }, [ids, window, window.openings.value])

  useEffect(
    () =>
      effect(() => {
        if (window.stale.value) void messages.renew(window, rowInView(list.current))
      }),
    [window],
  )

  const toEnd = (): void => {
    void messages.toNewest(window).then(() => anchor.current?.toEnd())
  }
  return { unseen, isAtEnd, toEnd }
}

/** What is read in other views is not read in its conversation. */
function marksRead({ place }: MessageWindow): boolean {
  return place.view === 'topic' || place.view === 'direct'
}

/** Shows the first unread message a third down, or the end. */
function openAt(scroller: HTMLElement, anchor: ScrollAnchor, window: MessageWindow): void {
  const at = window.anchor.peek()
  if (at === undefined || !window.ids.peek().includes(at)) anchor.toEnd()
  else anchor.toRow(String(at), scroller.clientHeight / 3)
}

function rowInView(scroller: HTMLElement | null): number | undefined {
  if (scroller === null) return undefined
  const { top } = scroller.getBoundingClientRect()
  const rows = [...scroller.querySelectorAll<HTMLElement>('[data-row]')]
  const row = rows.find((one) => one.getBoundingClientRect().bottom > top)
  return row === undefined ? undefined : Number(row.dataset['row'])
}

function readAhead({ scrollTop, clientHeight, scrollHeight }: HTMLElement, window: MessageWindow): void {
  const ahead = clientHeight * AHEAD_SCREENS
  if (scrollTop < ahead) void messages.more(window, 'older')
  else if (scrollHeight - scrollTop - clientHeight < ahead) void messages.more(window, 'newer')
}
