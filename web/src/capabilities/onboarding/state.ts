import { call } from '@parley/client'
import { onboarding } from '@parley/server/contract'
import { computed, signal } from '@preact/signals'
import { store } from '../../platform/client.ts'
import { isNarrow, region } from '../../platform/frame.ts'
import { shown } from '../../platform/router.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { ownId, userById } from '../users/state.ts'

/** A hint, and the control that it is about. */
export interface Hint {
  /** The step of the API by which the server remembers that it was shown. */
  readonly step: 'intro_inbox_view_modal' | 'jump_to_conversation_banner' | 'intro_resolve_topic'
  readonly text: 'inbox' | 'topic' | 'resolve'
  /** Of which the first that is seen is the control. */
  readonly selector: string
  readonly isOfTopic: boolean
}

/** In this order, one at a time. */
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

/** For so long somebody is new here. */
const NEW_MILLISECONDS = 30 * 86_400_000

/** What was closed, while the server has not said so yet, or cannot be reached. */
const closed = signal<ReadonlySet<string>>(new Set())

/** The hint to show in this view; undefined for none. */
export const hint = computed((): Hint | undefined => {
  if (!isNew() || !hasRoom()) return undefined
  const left = new Set(
    store()
      .read('onboarding_steps')
      .map(({ name }) => name),
  )
  const isTopic = shown().view === 'topic'
  return HINTS.find(({ step, isOfTopic }) => left.has(step) && !closed.value.has(step) && (isTopic || !isOfTopic))
})

/** Whether a hint would lie over nothing that people came for: settings take the whole window, and on a phone so does each region. */
function hasRoom(): boolean {
  return shown().view !== 'settings' && (!isNarrow.value || region.value === 'main')
}

function isNew(): boolean {
  const joined = userById(ownId())?.date_joined
  return joined !== undefined && Date.now() - Date.parse(joined) < NEW_MILLISECONDS
}

/** Closes a hint, for good and in every client. */
export function close({ step }: Hint): void {
  closed.value = new Set([...closed.value, step])
  // Without a connection it comes once more, in another session.
  call(SESSION, onboarding.markOnboardingStepAsRead, { onboarding_step: step }).catch(() => undefined)
}
