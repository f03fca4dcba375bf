import { call } from '@parley/client'
import { onboarding } from '@parley/server/contract'
import { computed, effect, signal, untracked } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { loadSignedOutTexts, te } from '../../kernel/entrance-texts.ts'
import { store, sync } from '../../platform/client.ts'
import { keepFocus } from '../../platform/dom/growing-field.tsx'
import { runWhenIdle } from '../../platform/dom/idle.ts'
import { isNarrow, openedRegion } from '../../platform/frame.ts'
import { hasOverlay, keyHintOf } from '../../platform/keys/keys.ts'
import { navigationCount, drawnRoute, shownRoute } from '../../platform/router.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { hasFinishedFirstSteps, isNewPerson, type HintStep } from './state.ts'
import './onboarding.css'

const NEXT_UNREAD = { id: 'go.nextUnread', keys: ['n'] }

export async function loadHints(): Promise<typeof Hints> {
  await loadSignedOutTexts()
  return Hints
}

function Hints() {
  useEffect(retrySavingWhenConnected, [])
  useEffect(closeHintOnWriting, [])
  return currentHint.value === undefined ? null : <HintNote key={currentHint.value.step} about={currentHint.value} />
}

/** Does not take the focus. Its button, Esc, typing in the composer, or using the explained control closes it. */
function HintNote({ about }: { readonly about: Hint }) {
  const note = useRef<HTMLDivElement>(null)
  const before = useRef<Element | null>(null)
  const control = useControl(about)
  const route = drawnRoute()
  useLayoutEffect(() => {
    const { current: element } = note
    return control === undefined || element === null ? undefined : keepHintUncovered(element, control, !about.isOfTopic)
  }, [control, route])
  useLayoutEffect(() => {
    const { current: element } = note
    if (control === undefined || element === null) return undefined
    control.classList.add('has-hint')
    const stopListening = closeHintOnUse(about, control, element)
    return () => {
      stopListening()
      control.classList.remove('has-hint')
      if (element.contains(document.activeElement)) returnFocus(before.current, control)
    }
  }, [control])
  if (control === undefined) return null
  return (
    <div
      ref={note}
      class="hint"
      role="status"
      onMouseDown={keepFocus}
      onFocusIn={({ relatedTarget }) => {
        before.current = relatedTarget instanceof Element ? relatedTarget : null
      }}
    >
      <p>{hintText(about)}</p>
      <button class="button" onClick={() => closeHint(about)}>
        {te().hints.close}
      </button>
    </div>
  )
}

function returnFocus(before: Element | null, control: HTMLElement): void {
  const back = before?.isConnected === true ? before : (control.querySelector('input') ?? control)
  if (back instanceof HTMLElement) back.focus({ preventScroll: true })
}

/** Layers that Esc closes before it closes the hint. */
const LAYER_SELECTOR = ':popover-open, [role=listbox], .panel:focus-within'

function closeHintOnUse(about: Hint, control: HTMLElement, note: HTMLElement): () => void {
  const used = (): void => closeHint(about)
  const isShown = (): boolean => note.style.visibility === ''
  const onInput = ({ target }: Event): void => {
    if (isShown() && target instanceof Element && target.closest('.composer') !== null) closeHintQuietly(about)
  }
  const onKey = (event: KeyboardEvent): void => {
    const isPlain = event.key === 'Escape' && !event.shiftKey && !event.isComposing
    if (!isPlain || !isShown() || hasOverlay() || document.querySelector(LAYER_SELECTOR) !== null) return
    event.preventDefault()
    event.stopImmediatePropagation()
    closeHintQuietly(about)
  }
  // Captures the click before it opens a view that hides the hint.
  control.addEventListener('click', used, { capture: true })
  document.addEventListener('input', onInput)
  window.addEventListener('keydown', onKey, { capture: true })
  return () => {
    control.removeEventListener('click', used, { capture: true })
    document.removeEventListener('input', onInput)
    window.removeEventListener('keydown', onKey, { capture: true })
  }
}

/** Closes the hint about topics when the person writes, because they then know where messages go. */
function closeHintOnWriting(): () => void {
  const onInput = ({ target }: Event): void => {
    const about = remainingHints().find(({ text }) => text === 'topic')
    if (about === undefined || !(target instanceof Element) || target.closest('.composer') === null) return
    if (currentHint.peek() === undefined || currentHint.peek() === about) closeHintQuietly(about)
    else closeHint(about)
  }
  document.addEventListener('input', onInput)
  return () => document.removeEventListener('input', onInput)
}

const EDGE_MARGIN_PIXELS = 8
const GAP_PIXELS = 4

/** Keeps the hint off the control, messages, the composer, and the focused element, or hides it while there is no space. */
function keepHintUncovered(note: HTMLElement, control: HTMLElement, isBeside: boolean): () => void {
  const place = (isMoved: boolean): void => {
    const obstacles = [
      ...document.querySelectorAll('.composer, .bottom-bar, .list [data-row]'),
      document.activeElement ?? control,
    ]
    const rects = [control, ...obstacles.filter((one) => !one.contains(note) && !note.contains(one))].map((one) =>
      one.getBoundingClientRect(),
    )
    if (!isMoved && note.style.visibility === '' && isUncovered(note.getBoundingClientRect(), rects)) return
    // A phone hides its navigation while a text field has the focus.
    const at = isVisible(control) ? findUncoveredPlace(note, rects, isBeside) : undefined
    note.style.visibility = at === undefined ? 'hidden' : ''
    if (at !== undefined) Object.assign(note.style, { left: `${at.x}px`, top: `${at.y}px` })
  }
  const moved = (): void => place(true)
  const focused = (): void => place(false)
  const watching = new ResizeObserver(moved)
  for (const one of [document.body, control, note]) watching.observe(one)
  document.addEventListener('focusin', focused)
  moved()
  // The view's composer may not be rendered before this frame.
  const frame = requestAnimationFrame(() => {
    focused()
    for (const one of document.querySelectorAll('.composer, .list-rows')) watching.observe(one)
  })
  return () => {
    cancelAnimationFrame(frame)
    watching.disconnect()
    document.removeEventListener('focusin', focused)
  }
}

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

function isUncovered({ x, y, width, height }: Box, rects: readonly DOMRect[]): boolean {
  return rects.every(
    ({ left, right, top, bottom }) => x >= right || x + width <= left || y >= bottom || y + height <= top,
  )
}

/** Returns the place beside the control if it is wanted and clear, and otherwise the nearest clear place. */
function findUncoveredPlace(note: HTMLElement, rects: readonly DOMRect[], isBeside: boolean): Box | undefined {
  const { width, height } = note.getBoundingClientRect()
  const [control] = rects
  if (control === undefined) return undefined
  const isMirrored = getComputedStyle(note).direction === 'rtl'
  const beside = isMirrored ? control.left - EDGE_MARGIN_PIXELS - width : control.right + EDGE_MARGIN_PIXELS
  const [lastX, lastY] = [
    window.innerWidth - EDGE_MARGIN_PIXELS - width,
    window.innerHeight - EDGE_MARGIN_PIXELS - height,
  ]
  const start = Math.max(EDGE_MARGIN_PIXELS, Math.min(isMirrored ? control.right - width : control.left, lastX))
  const tops = [
    control.top,
    EDGE_MARGIN_PIXELS,
    lastY,
    ...rects.flatMap(({ top, bottom }) => [bottom + GAP_PIXELS, top - GAP_PIXELS - height]),
  ]
  const boxes = [start, EDGE_MARGIN_PIXELS, lastX, beside].flatMap((x) => tops.map((y) => ({ x, y, width, height })))
  const isIn = ({ x, y }: Box): boolean =>
    x >= EDGE_MARGIN_PIXELS && x <= lastX && y >= EDGE_MARGIN_PIXELS && y <= lastY
  const clear = boxes.filter((box) => isIn(box) && isUncovered(box, rects))
  const wanted = isBeside ? clear.find(({ x, y }) => x === beside && y === control.top) : undefined
  const distance = ({ x, y }: Box): number => Math.hypot(x - start, y + height / 2 - (control.top + control.bottom) / 2)
  return wanted ?? clear.toSorted((one, other) => distance(one) - distance(other))[0]
}

function hintText({ text }: Hint): string {
  if (text !== 'inbox') return te().hints[text]
  // The user can change or disable the key.
  const key = keyHintOf(NEXT_UNREAD)
  return key === undefined || isNarrow.peek() ? te().hints.inbox : `${te().hints.inbox} ${te().hints.next(key)}`
}

function useControl({ selector }: Hint): HTMLElement | undefined {
  const [control, setControl] = useState<HTMLElement>()
  const route = shownRoute()
  // The sidebar's views are elsewhere on narrow screens.
  const { value: isNarrowNow } = isNarrow
  useEffect(() => {
    const findControl = (): void => setControl([...document.querySelectorAll<HTMLElement>(selector)].find(isVisible))
    const cancel = runWhenIdle(findControl)
    window.addEventListener('resize', findControl)
    return () => {
      cancel()
      window.removeEventListener('resize', findControl)
    }
  }, [selector, route, isNarrowNow])
  return control?.isConnected === true ? control : undefined
}

function isVisible(element: Element): boolean {
  const { left, top, right, bottom, width } = element.getBoundingClientRect()
  const isInView = left >= 0 && top >= 0 && right <= window.innerWidth && bottom <= window.innerHeight
  return width > 0 && isInView && element.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true })
}

interface Hint {
  /** API name under which the server remembers the hint. */
  readonly step: HintStep
  readonly text: 'inbox' | 'topic' | 'resolve'
  /** The control is the first visible match. */
  readonly selector: string
  readonly isOfTopic: boolean
}

/** Shown one at a time, in this order. */
const HINTS: readonly Hint[] = [
  { step: 'intro_inbox_view_modal', text: 'inbox', selector: 'nav a[href="/inbox"]', isOfTopic: false },
  { step: 'jump_to_conversation_banner', text: 'topic', selector: '.composer-text', isOfTopic: true },
  {
    step: 'intro_resolve_topic',
    text: 'resolve',
    selector: '.header [data-action="messageEdits.resolve"]',
    isOfTopic: true,
  },
]

/** Closed hints that the server does not know about yet, because the request is pending or failed. */
const closedHints = signal<ReadonlySet<string>>(new Set())

/** Number of the opened view in which the person dismissed a hint or typed, so that no other hint follows there. */
const viewWithoutHints = signal(-1)

const currentHint = computed((): Hint | undefined => {
  if (!isNewPerson() || !hasSpaceForHint() || viewWithoutHints.value === navigationCount.value) return undefined
  const isTopic = shownRoute().view === 'topic'
  return remainingHints().find(({ isOfTopic }) => isTopic || !isOfTopic)
})

function remainingHints(): readonly Hint[] {
  const names: readonly string[] = store()
    .read('onboarding_steps')
    .map(({ name }) => name)
  return HINTS.filter(({ step }) => names.includes(step) && !closedHints.value.has(step))
}

/** False in settings, in an inbox with first steps, and on phones while another region covers the view. */
function hasSpaceForHint(): boolean {
  const { view } = shownRoute()
  const isTaken = view === 'settings' || (view === 'inbox' && !hasFinishedFirstSteps())
  return !isTaken && (!isNarrow.value || openedRegion.value === 'main')
}

function closeHintQuietly(about: Hint): void {
  viewWithoutHints.value = navigationCount.peek()
  closeHint(about)
}

function closeHint({ step }: Hint): void {
  closedHints.value = new Set([...closedHints.value, step])
  void markHintSeen(step)
}

async function markHintSeen(step: string): Promise<void> {
  // If the request never succeeds, the hint appears again in another session.
  await call(SESSION, onboarding.markOnboardingStepAsRead, { onboarding_step: step }).catch(() => undefined)
}

function retrySavingWhenConnected(): () => void {
  return effect(() => {
    if (!sync.isConnected.value) return
    const left = untracked(() => store().read('onboarding_steps'))
    for (const { name } of left) if (closedHints.peek().has(name)) void markHintSeen(name)
  })
}
