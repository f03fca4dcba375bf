import type { TargetedKeyboardEvent, TargetedPointerEvent } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { fontSize } from '../../capabilities/appearance/state.ts'
import { unreadMentions, unreadTotal } from '../../capabilities/unread/state.ts'
import { tl } from '../../kernel/later-texts.ts'
import { HOME_ROUTE } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { isSidebarFolded, sidebarPercent } from '../../platform/frame.ts'
import { Item } from './item.tsx'

const MIN_PERCENT = 70
const MAX_PERCENT = 170
const STEP_PERCENT = 5

export function SidebarEdge() {
  return isSidebarFolded.value ? <UnreadTotal /> : <ResizeHandle />
}

function UnreadTotal() {
  return (
    <Item to={HOME_ROUTE} icon="inbox" unread={{ count: unreadTotal.value, mentions: unreadMentions.value }}>
      <span class="visually-hidden">{t().nav.inbox}</span>
    </Item>
  )
}

/** Dragging or arrow keys resize the sidebar. A double-click resets its width. */
function ResizeHandle() {
  /** Distance in pixels from the edge to the pointer that drags it; undefined while no pointer drags it. */
  const grip = useRef<number | undefined>(undefined)
  const { value: percent } = sidebarPercent
  // Subscribes instead of rendering, because the browser forgets the focus of a hidden element before that.
  useLayoutEffect(() => isSidebarFolded.subscribe(moveFocusToToggle), [])
  const onPointer = (event: TargetedPointerEvent<HTMLElement>): void => {
    const pixels = distanceToPointer(event)
    if (event.type === 'pointerdown' && event.button === 0) {
      event.currentTarget.setPointerCapture(event.pointerId)
      grip.current = pixels - percent * pixelsPerPercent()
    } else if (grip.current !== undefined) resizeSidebar((pixels - grip.current) / pixelsPerPercent())
  }
  return (
    <div
      class="sidebar-edge"
      role="separator"
      tabIndex={0}
      aria-label={tl().sidebar.width}
      aria-orientation="vertical"
      aria-valuemin={MIN_PERCENT}
      aria-valuemax={MAX_PERCENT}
      aria-valuenow={Math.round(percent)}
      title={tl().sidebar.resize}
      onMouseDown={(event) => event.preventDefault()}
      onPointerDown={onPointer}
      onPointerMove={onPointer}
      onLostPointerCapture={() => {
        grip.current = undefined
      }}
      onDblClick={() => resizeSidebar(100)}
      onKeyDown={onKey}
    />
  )
}

/** Keeps the focus in the sidebar, because folding hides all other controls. */
function moveFocusToToggle(isFolded: boolean): void {
  const sidebar = document.activeElement?.closest('.sidebar')
  if (isFolded) sidebar?.querySelector<HTMLElement>('.sidebar-fold')?.focus()
}

function resizeSidebar(percent: number): void {
  sidebarPercent.value = Math.min(MAX_PERCENT, Math.max(MIN_PERCENT, percent))
}

/** Keep in sync with the sidebar's width in the stylesheet. */
function pixelsPerPercent(): number {
  return 0.175 * fontSize.read()
}

function distanceToPointer({ clientX, currentTarget }: TargetedPointerEvent<HTMLElement>): number {
  return isRightToLeft(currentTarget) ? window.innerWidth - clientX : clientX
}

function isRightToLeft(element: HTMLElement): boolean {
  return getComputedStyle(element).direction === 'rtl'
}

function onKey(event: TargetedKeyboardEvent<HTMLElement>): void {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  const next = percentForKey(event.key, isRightToLeft(event.currentTarget) ? -STEP_PERCENT : STEP_PERCENT)
  if (next === undefined) return
  resizeSidebar(next)
  event.preventDefault()
}

function percentForKey(key: string, step: number): number | undefined {
  if (key === 'ArrowRight') return sidebarPercent.peek() + step
  if (key === 'ArrowLeft') return sidebarPercent.peek() - step
  if (key === 'Home') return MIN_PERCENT
  return key === 'End' ? MAX_PERCENT : undefined
}
