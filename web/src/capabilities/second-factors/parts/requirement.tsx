import { useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import type { SaveResult } from '../../../kernel/setting.ts'
import { useFetched } from '../../../platform/list/fetched.ts'
import { LoadFailure, LoadingRows } from '../../../platform/list/states.tsx'
import { useSavedChoice } from '../../../platform/settings/choosing.tsx'
import { isOwner } from '../../users/state.ts'
import { readSecondFactor, requireSecondFactorOf, REQUIREMENTS } from '../actions.ts'

/** Loads the setting on each visit, because no event reports changes. */
export function RequiredRolesSetting() {
  const { value: found, hasFailed, again } = useFetched(readSecondFactor, 'requirement')
  const [chosen, setChosen] = useState<string>()
  const { said, refusal, choose } = useSavedChoice(() => ta().organization.titles.second_factor_required_of)
  if (hasFailed) return <LoadFailure again={again} />
  if (found === undefined) return <LoadingRows rows={1} />
  const present = chosen ?? found.required_of
  const require = async (roles: string): Promise<SaveResult> => {
    await requireSecondFactorOf(roles)
    setChosen(roles)
    return 'saved'
  }
  return (
    <>
      <select
        class="input"
        aria-label={ta().organization.titles.second_factor_required_of}
        value={present}
        disabled={!isOwner()}
        onChange={({ currentTarget: { value } }) =>
          void choose(
            async () => require(value),
            async () => require(present),
          )
        }
      >
        {REQUIREMENTS.map((roles) => (
          <option key={roles} value={roles}>
            {ta().organization.secondFactorOf[roles]}
          </option>
        ))}
      </select>
      {said}
      {refusal}
    </>
  )
}
