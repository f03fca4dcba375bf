import { capability, command } from '../../platform/capability.ts'
import { markOnboardingStepAsRead } from './actions.ts'
import * as contract from './contract.ts'
import { onboardingSnapshot } from './queries.ts'
import { exportedTables, migrations } from './tables.ts'

export const onboarding = capability({
  name: 'onboarding',
  tables: ['onboarding_steps'],
  migrations,
  exportedTables,
  routes: [command(contract.markOnboardingStepAsRead, markOnboardingStepAsRead)],
  events: [{ event: contract.onboardingStepsChanged, administration: false }],
  snapshot: [{ eventTypes: ['onboarding_steps'], read: onboardingSnapshot }],
})
