import { call, type Answer } from '@parley/client'
import { organizations, secondFactors } from '@parley/server/contract'
import { SESSION } from '../../platform/sync/sync.ts'
import { withConfirmation } from '../sessions/confirming.ts'

export type SecondFactor = Answer<typeof secondFactors.getSecondFactor>
export type ApplicationSecret = Pick<Answer<typeof secondFactors.beginSecondFactor>, 'secret' | 'uri'>

export async function readSecondFactor(): Promise<SecondFactor> {
  return call(SESSION, secondFactors.getSecondFactor, {})
}

export async function startSetup(password: string): Promise<ApplicationSecret> {
  return withConfirmation(async () => call(SESSION, secondFactors.beginSecondFactor, { password }))
}

/** @returns the recovery codes, like `replaceRecoveryCodes` */
export async function confirmSetup(code: string): Promise<readonly string[]> {
  return (await call(SESSION, secondFactors.confirmSecondFactor, { code })).recovery_codes
}

export async function replaceRecoveryCodes(code: string): Promise<readonly string[]> {
  return (await call(SESSION, secondFactors.renewRecoveryCodes, { code })).recovery_codes
}

export async function turnOffSecondFactor(code: string): Promise<void> {
  await call(SESSION, secondFactors.removeSecondFactor, { code })
}

export async function requireSecondFactorOf(roles: (typeof REQUIREMENTS)[number]): Promise<void> {
  await withConfirmation(async () => call(SESSION, organizations.updateRealm, { second_factor_required_of: roles }))
}

export const REQUIREMENTS = ['nobody', 'owners', 'administrators', 'moderators', 'members', 'everyone'] as const
