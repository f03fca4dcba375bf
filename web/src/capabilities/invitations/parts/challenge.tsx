import { call } from '@parley/client'
import { organizations, registrationChallenges } from '@parley/server/contract'
import { ta } from '../../../kernel/administration.ts'
import { FetchedChoice } from '../../../platform/settings/fetched-choice.tsx'
import { SESSION } from '../../../platform/sync/sync.ts'
import { withConfirmation } from '../../sessions/confirming.ts'
import { isAdministrator } from '../../users/state.ts'

const DIFFICULTIES = ['off', 'easy', 'normal', 'hard'] as const

export function ChallengeSetting() {
  return (
    <FetchedChoice
      id="registration-challenge"
      title={() => ta().organization.titles.registration_challenge}
      options={DIFFICULTIES.map((one) => [one, ta().organization.difficulties[one]] as const)}
      isFixed={!isAdministrator()}
      fetch={async () => (await call(SESSION, registrationChallenges.getRegistrationChallenge, {})).difficulty}
      save={async (chosen) =>
        withConfirmation(async () => call(SESSION, organizations.updateRealm, { registration_challenge: chosen }))
      }
    />
  )
}
