import { call } from '@parley/client'
import { onboarding } from '@parley/server/contract'
import { computed, signal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { t } from '../../kernel/strings.ts'
import { store } from '../../platform/client.ts'
import { whenIdle } from '../../platform/dom/idle.ts'
import { isNarrow, region } from '../../platform/frame.ts'
import { keysOf } from '../../platform/keys/choices.ts'
import { keyLabel } from '../../platform/keys/keys.ts'
import { placeAfter, placeBeside } from '../../platform/overlay/beside.ts'
import { shownRoute } from '../../platform/router.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { isNew, isWelcomed } from './state.ts'
import './onboarding.css'

const NEXT_UNREAD = { id: 'go.nextUnread', keys: ['n'] }

export function Hints() {
  return hint.value === undefined ? null : <HintNote key={hint.value.step} about={hint.value} />
}

/** Does not take the focus. Closes with its button or when the control is used. */
function HintNote({ about }: { readonly about: Hint }) {
  const note = useRef<HTMLDivElement>(null)
  const control = useControl(about)
  const { isOfTopic } = about
  useLayoutEffect(() => {
    const { current: element } = note
    if (control === undefined || element === null) return undefined
    // Below a sidebar link, the hint would cover other links.
    const place = (): void => (isOfTopic ? placeBeside : placeAfter)(element, control)
    place()
    control.classList.add('has-hint')
    const watching = new ResizeObserver(place)
    for (const one of [document.body, control, element]) watching.observe(one)
    const used = (): void => close(about)
    // Before the click opens a view that hides the hint.
    control.addEventListener('click', used, { capture: true })
    return () => {
      watching.disconnect()
      control.classList.remove('has-hint')
      control.removeEventListener('click', used, { capture: true })
    }
  }, [control])
  if (control === undefined) return null
  return (
    <div ref={note} class="hint" role="status">
      <p>{textOf(about)}</p>
      <button class="button" onClick={() => close(about)}>
        {t().hints.close}
      </button>
    </div>
  )
}

function textOf({ text }: Hint): string {
  if (text !== 'inbox') return t().hints[text]
  // Keys can be changed or disabled.
  const [key] = keysOf(NEXT_UNREAD)
  return key === undefined ? t().hints.inbox : `${t().hints.inbox} ${t().hints.next(keyLabel(key))}`
}

function useControl({ selector }: Hint): HTMLElement | undefined {
  const [control, setControl] = useState<HTMLElement>()
  const route = shownRoute()
  useEffect(() => {
    const findControl = (): void => setControl([...document.querySelectorAll<HTMLElement>(selector)].find(isSeen))
    const cancel = whenIdle(findControl)
    window.addEventListener('resize', findControl)
    return () => {
      cancel()
      window.removeEventListener('resize', findControl)
    }
  }, [selector, route])
  return control?.isConnected === true ? control : undefined
}

function isSeen(element: HTMLElement): boolean {
  const { left, top, right, bottom, width } = element.getBoundingClientRect()
  const isInView = left >= 0 && top >= 0 && right <= window.innerWidth && bottom <= window.innerHeight
  return width > 0 && isInView && element.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true })
}

interface Hint {
  /** API name under which the server remembers the hint. */
  readonly step: 'intro_inbox_view_modal' | 'jump_to_conversation_banner' | 'intro_resolve_topic'
  readonly text: 'inbox' | 'topic' | 'resolve'
  /** The first visible match is the control. */
  readonly selector: string
  readonly isOfTopic: boolean
}

/** Shown one at a time, in this order. */
const HINTS: readonly Hint[] = [
  { step: 'intro_inbox_view_modal', text: 'inbox', selector: 'nav a[href="/inbox"]', isOfTopic: false },
  {
    step: 'jump_to_conversation_banner',
    text: 'topic',
    selector: '.composer [data-destination="topic"]',
    isOfTopic: true,
  },
  {
    step: 'intro_resolve_topic',
    text: 'resolve',
    selector: '.header [data-action="messageEdits.resolve"]',
    isOfTopic: true,
  },
]

/** Hints whose request is pending or failed. */
const closed = signal<ReadonlySet<string>>(new Set())

const hint = computed((): Hint | undefined => {
  if (!isNew() || !hasRoom()) return undefined
  const left = new Set(
    store()
      .read('onboarding_steps')
      .map(({ name }) => name),
  )
  const isTopic = shownRoute().view === 'topic'
  return HINTS.find(({ step, isOfTopic }) => left.has(step) && !closed.value.has(step) && (isTopic || !isOfTopic))
})

/** Settings fill the window, and so do regions on phones. The first steps in the inbox explain it themselves. */
function hasRoom(): boolean {
  const { view } = shownRoute()
  const isTaken = view === 'settings' || (view === 'inbox' && !isWelcomed())
  return !isTaken && (!isNarrow.value || region.value === 'main')
}

function close({ step }: Hint): void {
  closed.value = new Set([...closed.value, step])
  // If this request fails, the hint is shown again in another session.
  call(SESSION, onboarding.markOnboardingStepAsRead, { onboarding_step: step }).catch(() => undefined)
}
