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

/** Whether the inbox has no more first steps for this person. A checklist stays once it is started. */
export function hasFinishedFirstSteps(): boolean {
  const kept = firstSteps.read()
  return kept === 'done' || (kept === undefined && !isNewPerson())
}
