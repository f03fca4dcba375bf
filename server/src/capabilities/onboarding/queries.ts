import type { Db } from '../../kernel/transaction.ts'
import type { Viewer } from '../../kernel/viewer.ts'
import { ONBOARDING_STEPS, type OnboardingStep } from './contract.ts'

const READ_STEP_NAMES = 'select name from onboarding_steps where organization_id = $1 and user_id = $2'

export async function onboardingStepsOf(db: Db, organizationId: number, userId: number): Promise<OnboardingStep[]> {
  const rows = await db.rows<{ name: string }>('onboarding_steps', READ_STEP_NAMES, [organizationId, userId])
  const explained = new Set(rows.map(({ name }) => name))
  return ONBOARDING_STEPS.filter(({ name }) => !explained.has(name))
}

export async function onboardingSnapshot(db: Db, { organization, userId }: Viewer): Promise<Record<string, unknown>> {
  return {
    onboarding_steps: await onboardingStepsOf(db, organization.id, userId),
    navigation_tour_video_url: null,
  }
}
