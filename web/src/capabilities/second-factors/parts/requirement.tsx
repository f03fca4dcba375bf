import { useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import { useAsked } from '../../../platform/list/asked.ts'
import { Failed, Waiting } from '../../../platform/list/states.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { isOwner } from '../../users/state.ts'
import { readSecondFactor, requireOf, REQUIREMENTS } from '../actions.ts'

/** Of whom the organization requires a second factor. No event tells of it. */
export function Requirement() {
  const { value: found, hasFailed, again } = useAsked(readSecondFactor, 'requirement')
  const [chosen, setChosen] = useState<string>()
  const [refusal, run] = useRefusal()
  if (hasFailed) return <Failed again={again} />
  if (found === undefined) return <Waiting rows={1} />
  const choose = async (roles: string): Promise<void> => {
    setChosen(roles)
    if (!(await run(async () => requireOf(roles)))) setChosen(undefined)
  }
  return (
    <>
      <select
        class="input"
        aria-label={ta().organization.titles.second_factor_required_of}
        value={chosen ?? found.required_of}
        disabled={!isOwner()}
        onChange={({ currentTarget }) => void choose(currentTarget.value)}
      >
        {REQUIREMENTS.map((roles) => (
          <option key={roles} value={roles}>
            {ta().organization.secondFactorOf[roles]}
          </option>
        ))}
      </select>
      {refusal}
    </>
  )
}
