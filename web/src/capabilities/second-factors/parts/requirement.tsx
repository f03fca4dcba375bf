import { ta } from '../../../kernel/administration.ts'
import { FetchedChoice } from '../../../platform/settings/fetched-choice.tsx'
import { isOwner } from '../../users/state.ts'
import { readSecondFactor, requireSecondFactorOf, REQUIREMENTS } from '../actions.ts'

export function RequiredRolesSetting() {
  return (
    <FetchedChoice
      id="requirement"
      title={() => ta().organization.titles.second_factor_required_of}
      options={REQUIREMENTS.map((roles) => [roles, ta().organization.secondFactorOf[roles]] as const)}
      isFixed={!isOwner()}
      fetch={async () => (await readSecondFactor()).required_of}
      save={requireSecondFactorOf}
    />
  )
}
