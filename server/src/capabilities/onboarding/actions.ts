import type { Input } from '../../kernel/endpoint.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { ActorTx, Tx } from '../../kernel/transaction.ts'
import type * as contract from './contract.ts'
import { ONBOARDING_STEPS, onboardingStepsChanged } from './contract.ts'
import { onboardingStepsOf } from './queries.ts'

export async function markOnboardingStepAsRead(
  tx: ActorTx,
  { onboarding_step }: Input<typeof contract.markOnboardingStepAsRead>,
): Promise<Record<string, never>> {
  const step = ONBOARDING_STEPS.find(({ name }) => name === onboarding_step)
  if (step === undefined) throw new ApiError('BAD_REQUEST', 'Unknown onboarding step')
  const left = await onboardingStepsOf(tx.db, tx.organizationId, tx.actor.userId)
  const onboarding_steps = left.filter(({ name }) => name !== step.name)
  if (onboarding_steps.length === left.length) return {}
  await tx.db
    .insertInto('onboarding_steps')
    .values({ organization_id: tx.organizationId, user_id: tx.actor.userId, name: step.name })
    .execute()
  tx.emit(onboardingStepsChanged, { onboarding_steps }, { users: [tx.actor.userId] })
  return {}
}

export async function markAllOnboardingStepsAsRead(tx: Tx, userId: number): Promise<void> {
  const rows = ONBOARDING_STEPS.map(({ name }) => ({ organization_id: tx.organizationId, user_id: userId, name }))
  await tx.db.insertInto('onboarding_steps').values(rows).execute()
}
