import { effect, signal, useSignal, type Signal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { FunctionComponent, RefObject } from 'preact'
import { messages } from '../../../platform/client.ts'
import { isWriting } from '../../../platform/keys/keys.ts'
import { ScrollAnchor, upperEdgeOf } from '../../../platform/list/anchor.ts'
import { menuRowId } from '../../../platform/overlay/menu.tsx'
import type { MessageWindow } from '../../../platform/messages/window.ts'
import { openedList, type OpenListState } from '../open-list.ts'
import { USER_INPUT_EVENTS, ReadTracker } from '../read-tracker.ts'

/** Distance from an edge, in screens, at which more messages are requested. */
const PRELOAD_SCREENS = 1.5

interface ScrollState {
  readonly position: ScrollPosition
  readonly toEnd: OpenListState['toEnd']
}

export interface ScrollPosition {
  readonly isAtEnd: Signal<boolean>
  readonly topmost: Signal<number | undefined>
  readonly lowest: Signal<number | undefined>
}

export interface JumpButtonsProps extends ScrollState {
  readonly window: MessageWindow
}

/** Set once its script has loaded, after the first paint. */
export const jumpButtons = signal<FunctionComponent<JumpButtonsProps> | undefined>(undefined)

interface ScrollingOptions {
  readonly drawn: readonly number[]
  readonly near: number | undefined
  readonly marksNothing: boolean
}

/** Opens the list at the reading position, keeps the position stable, and loads more messages at the edges. */
export function useScrolling(
  list: RefObject<HTMLDivElement | null>,
  window: MessageWindow,
  { drawn, near, marksNothing }: ScrollingOptions,
): ScrollState {
  const [isAtEnd, topmost, lowest] = [useSignal(true), useSignal<number>(), useSignal<number>()]
  const position = { isAtEnd, topmost, lowest }
  const anchor = useRef<ScrollAnchor | undefined>(undefined)
  const reader = useRef<ReadTracker | undefined>(undefined)
  const opened = useRef(0)
  const { toEnd, isWanted, acted } = useScrollToEnd(window, anchor, reader)
  const ids = window.ids.value
  const edges = useRef({ hasEnd: false, isWhole: false })
  edges.current = { hasEnd: drawn.at(-1) === ids.at(-1), isWhole: drawn.length === ids.length }
  // A reader at the end stays there when a message arrives before all rows are drawn.
  const showsEnd = (held: ScrollAnchor): boolean => showsNewestMatch(window) && (edges.current.hasEnd || held.isAtEnd)

  useLayoutEffect(() => {
    const { current: scroller } = list
    if (scroller === null) return undefined
    window.isOpen = true
    const held = (anchor.current = new ScrollAnchor(scroller))
    const reading = (reader.current = marksNothing ? undefined : new ReadTracker(scroller, window.place))
    const note = (): void => {
      if (!held.isPut) held.note(showsEnd(held))
      publishScrollPosition(held, position)
      storeScrollPosition(window, held)
      reading?.update()
      if (edges.current.isWhole) loadMoreNearEdges(scroller, window)
    }
    const stop = listenToScroller(scroller, {
      note,
      restore: () => held.restore(),
      acted: (event) => {
        acted(event)
        reading?.acted(event)
      },
      onFocus: () => reading?.update(),
    })
    return () => {
      window.isOpen = false
      stop()
      reading?.stop()
    }
  }, [window])

  useLayoutEffect(() => {
    const [scroller, held] = [list.current, anchor.current]
    if (scroller === null || held === undefined || ids.length === 0) return
    if (opened.current !== window.openings.value) {
      opened.current = window.openings.value
      scrollToAnchor(scroller, held, window)
      if (near !== undefined) reader.current?.jumped()
    } else {
      holdMessageOfMenu(held)
      held.restore()
    }
    held.note(showsEnd(held))
    publishScrollPosition(held, position)
    if (edges.current.isWhole) loadMoreNearEdges(scroller, window)
  }, [ids, drawn, window, window.openings.value])

  useRenewWhenStale(window, () => {
    if (isWanted.current) toEnd()
    else void messages.renew(window, messageIdInView(list.current))
  })

  useOpenList({ place: window.place, ids: window.ids, isAtEnd, topmost, toEnd }, anchor)
  return { position, toEnd }
}

/** The message of an open menu stays beside the menu. */
function holdMessageOfMenu(held: ScrollAnchor): void {
  const id = menuRowId.peek()
  if (id !== undefined && held.isAtEnd) held.holdRow(id, 0)
}

function useRenewWhenStale(window: MessageWindow, renew: () => void): void {
  useEffect(
    () =>
      effect(() => {
        if (window.stale.value) renew()
      }),
    [window],
  )
}

interface EndControls {
  readonly toEnd: OpenListState['toEnd']
  /** Whether the reader asked to see the end of the list before it was loaded. */
  readonly isWanted: RefObject<boolean>
  readonly acted: (event: Event) => void
}

/** Scrolls to the end immediately or when it is loaded, unless the reader does something else first. */
function useScrollToEnd(
  window: MessageWindow,
  anchor: RefObject<ScrollAnchor | undefined>,
  reader: RefObject<ReadTracker | undefined>,
): EndControls {
  const isWanted = useRef(false)
  const toEnd = (isAnswer = false): void => {
    isWanted.current = true
    // After an answer, the reader reads on. At the end, nothing jumps: new messages appear in view.
    if (!isAnswer && anchor.current?.isAtEnd !== true) reader.current?.jumped()
    void messages.toNewest(window).then(() => {
      anchor.current?.toEnd()
      isWanted.current = !window.atNewest.peek()
    })
  }
  const acted = ({ type, target }: Event): void => {
    if (type !== 'pointermove' && !isWriting(target)) isWanted.current = false
  }
  return { toEnd, isWanted, acted }
}

function useOpenList(list: Omit<OpenListState, 'hold' | 'keep'>, anchor: RefObject<ScrollAnchor | undefined>): void {
  useEffect(() => {
    openedList.value = {
      ...list,
      hold: (id, by) => anchor.current?.holdRow(String(id), by),
      keep: (id) => anchor.current?.keepRow(String(id)),
    }
    return () => {
      openedList.value = undefined
    }
  }, [list.place])
}

interface ScrollerListeners {
  readonly note: () => void
  readonly restore: () => void
  readonly acted: (event: Event) => void
  readonly onFocus: () => void
}

function listenToScroller(scroller: HTMLElement, { note, restore, acted, onFocus }: ScrollerListeners): () => void {
  const resized = new ResizeObserver(() => {
    restore()
    note()
  })
  const rest = (): void => messages.notifyChange()
  resized.observe(scroller)
  const { firstElementChild: rows } = scroller
  if (rows !== null) resized.observe(rows)
  scroller.addEventListener('scroll', note, { passive: true })
  scroller.addEventListener('scrollend', rest)
  for (const act of USER_INPUT_EVENTS) globalThis.addEventListener(act, acted, { passive: true })
  globalThis.addEventListener('focus', onFocus)
  return () => {
    resized.disconnect()
    scroller.removeEventListener('scroll', note)
    scroller.removeEventListener('scrollend', rest)
    for (const act of USER_INPUT_EVENTS) globalThis.removeEventListener(act, acted)
    globalThis.removeEventListener('focus', onFocus)
    rest()
  }
}

/** A search that shows local matches ends at the newest one, and stays there when the server has answered. */
function showsNewestMatch({ atNewest, isOfKept }: MessageWindow): boolean {
  return atNewest.peek() || isOfKept.peek()
}

function publishScrollPosition(held: ScrollAnchor, { isAtEnd, topmost, lowest }: ScrollPosition): void {
  isAtEnd.value = held.isAtEnd
  topmost.value = Number(held.first?.id)
  lowest.value = Number(held.lastId)
}

function storeScrollPosition(window: MessageWindow, { first, isAtEnd }: ScrollAnchor): void {
  if (window.ids.peek().length === 0) return
  window.position = isAtEnd || first === undefined ? undefined : { id: Number(first.id), offset: first.offset }
}

/** Puts the anchor row at its stored offset or a third of the way down. If it is not loaded, opens at the end. */
function scrollToAnchor(scroller: HTMLElement, anchor: ScrollAnchor, window: MessageWindow): void {
  const at = window.anchor.peek()
  if (at === undefined || !window.ids.peek().includes(at.id)) anchor.toEnd()
  else anchor.toRow(String(at.id), at.offset ?? scroller.clientHeight / 3)
}

function messageIdInView(scroller: HTMLElement | null): number | undefined {
  if (scroller === null) return undefined
  const top = upperEdgeOf(scroller)
  const rows = [...scroller.querySelectorAll<HTMLElement>('[data-row]')]
  const row = rows.find((one) => one.getBoundingClientRect().bottom > top)
  return row === undefined ? undefined : Number(row.dataset['row'])
}

function loadMoreNearEdges({ scrollTop, clientHeight, scrollHeight }: HTMLElement, window: MessageWindow): void {
  // Showing the error shifts the list, and the resulting scroll event would immediately retry.
  if (window.failed.peek()) return
  const ahead = clientHeight * PRELOAD_SCREENS
  if (scrollTop < ahead) void messages.more(window, 'older')
  else if (scrollHeight - scrollTop - clientHeight < ahead) void messages.more(window, 'newer')
}
