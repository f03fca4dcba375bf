import { call } from '@parley/client'
import { onboarding } from '@parley/server/contract'
import { computed, signal } from '@preact/signals'
import { store } from '../../platform/client.ts'
import { isNarrow, region } from '../../platform/frame.ts'
import { shownRoute } from '../../platform/router.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { ownId, userById } from '../users/state.ts'

export interface Hint {
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

const NEW_MILLISECONDS = 30 * 86_400_000

/** Hints closed here whose request is pending or failed. */
const closed = signal<ReadonlySet<string>>(new Set())

export const hint = computed((): Hint | undefined => {
  if (!isNew() || !hasRoom()) return undefined
  const left = new Set(
    store()
      .read('onboarding_steps')
      .map(({ name }) => name),
  )
  const isTopic = shownRoute().view === 'topic'
  return HINTS.find(({ step, isOfTopic }) => left.has(step) && !closed.value.has(step) && (isTopic || !isOfTopic))
})

/** Whether there is space for a hint. False in settings, which fill the window, and in phone regions. */
function hasRoom(): boolean {
  return shownRoute().view !== 'settings' && (!isNarrow.value || region.value === 'main')
}

function isNew(): boolean {
  const joined = userById(ownId())?.date_joined
  return joined !== undefined && Date.now() - Date.parse(joined) < NEW_MILLISECONDS
}

export function close({ step }: Hint): void {
  closed.value = new Set([...closed.value, step])
  // If this request fails, the hint is shown again in another session.
  call(SESSION, onboarding.markOnboardingStepAsRead, { onboarding_step: step }).catch(() => undefined)
}
