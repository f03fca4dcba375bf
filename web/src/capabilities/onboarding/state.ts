import { store } from '../../platform/client.ts'
import { preference } from '../../platform/preferences.ts'
import { ownId, userById } from '../users/state.ts'

/** Finished checklist steps that cannot be derived from other state; `done` if the list is finished or dismissed. */
type FirstSteps = readonly string[] | 'done' | undefined

/** Stored as a preference rather than an onboarding step, because the API allows only a fixed set of step names. */
export const firstSteps = preference<FirstSteps>(
  'firstSteps',
  undefined,
  (kept): kept is FirstSteps => kept === 'done' || Array.isArray(kept),
)

const NEW_PERSON_MILLISECONDS = 30 * 86_400_000

export function isNewPerson(): boolean {
  const joined = userById(ownId())?.date_joined
  return joined !== undefined && Date.now() - Date.parse(joined) < NEW_PERSON_MILLISECONDS
}

/** Onboarding steps that this client shows as hints. */
const HINT_STEPS = ['intro_inbox_view_modal', 'jump_to_conversation_banner', 'intro_resolve_topic'] as const
export type HintStep = (typeof HINT_STEPS)[number]

/** Whether the person is new and has hints left. Otherwise, the script of the hints does not load. */
export function hasHints(): boolean {
  const left = store().read('onboarding_steps')
  return isNewPerson() && HINT_STEPS.some((step) => left.some(({ name }) => name === step))
}

/** Whether the inbox has no more first steps for this person. A checklist stays once it is started. */
export function hasFinishedFirstSteps(): boolean {
  const kept = firstSteps.read()
  return kept === 'done' || (kept === undefined && !isNewPerson())
}
