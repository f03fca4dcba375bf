import type { Input, Output } from '../../kernel/endpoint.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import type { Db, Reader } from '../../kernel/transaction.ts'
import type { DueJob } from '../../platform/jobs/pieces.ts'
import { settingOf } from '../organizations/queries/index.ts'
import type { UserRow } from '../users/queries/index.ts'
import { requireMayManage } from '../users/rules/index.ts'
import { requireVisibleUser } from '../users/rules/visibility.ts'
import { passkeysOf } from '../passkeys/queries.ts'
import type * as contract from './contract.ts'
import { isSecondFactorRequired } from './rules.ts'

export interface SecondFactor {
  readonly seed: Buffer
  readonly confirmedAt: number | null
}

const SECOND_FACTOR_OF_USER = `
  select seed, confirmed_at as "confirmedAt" from second_factors where organization_id = $1 and user_id = $2`

export async function secondFactorOf(
  db: Db,
  organizationId: number,
  userId: number,
): Promise<SecondFactor | undefined> {
  const [row] = await db.rows<SecondFactor>('second_factor', SECOND_FACTOR_OF_USER, [organizationId, userId])
  return row
}

export async function hasSecondFactor(db: Db, organizationId: number, userId: number): Promise<boolean> {
  const found = await secondFactorOf(db, organizationId, userId)
  return found !== undefined && found.confirmedAt !== null
}

/** `setup`: the user must set up a required second factor. `passkey`: the user must sign in with a passkey. */
export async function missingFactorOf(
  db: Db,
  organization: OrganizationState,
  user: Pick<UserRow, 'id' | 'role'>,
): Promise<'code' | 'setup' | 'passkey' | undefined> {
  if (await hasSecondFactor(db, organization.id, user.id)) return 'code'
  if (!isSecondFactorRequired(organization, user.role)) return undefined
  // Knowing the password must not suffice to add a way to sign in to an account that has passkeys.
  return (await passkeysOf(db, organization.id, user.id)).length > 0 ? 'passkey' : 'setup'
}

const UNUSED_CODE_COUNT = `
  select count(*)::int as count from recovery_codes where organization_id = $1 and user_id = $2`

export async function getSecondFactor({
  db,
  organization,
  organizationId,
  actor,
}: Reader): Promise<Output<typeof contract.getSecondFactor>> {
  const found = await secondFactorOf(db, organizationId, actor.userId)
  const [codes] = await db.rows<{ count: number }>('recovery_codes_left', UNUSED_CODE_COUNT, [
    organizationId,
    actor.userId,
  ])
  return {
    since: found?.confirmedAt ?? null,
    recovery_codes_left: codes?.count ?? 0,
    required_of: settingOf(organization, 'second_factor_required_of'),
    is_required: isSecondFactorRequired(organization, actor.role),
  }
}

export async function getSecondFactorOf(
  { db, organization, organizationId, actor }: Reader,
  input: Input<typeof contract.getSecondFactorOf>,
): Promise<Output<typeof contract.getSecondFactorOf>> {
  const target = requireVisibleUser(organization, actor, input.user_id)
  requireMayManage(actor, target)
  const found = await secondFactorOf(db, organizationId, target.id)
  return { since: found?.confirmedAt ?? null }
}

const PENDING_LOGIN = `
  select user_id as "userId" from pending_logins where organization_id = $1 and digest = $2 and expires_at > $3`

export async function userOfPendingLogin(
  db: Db,
  organizationId: number,
  digest: Buffer,
  now: number,
): Promise<number | undefined> {
  const [row] = await db.rows<{ userId: number }>('pending_login', PENDING_LOGIN, [organizationId, digest, now])
  return row?.userId
}

const EXPIRED_PENDING_LOGINS = `
  select distinct organization_id as "organizationId", 0 as id from pending_logins where expires_at <= $1 limit 100`

export async function organizationsWithExpiredPendingLogins(db: Db, now: number): Promise<DueJob[]> {
  return db.rows<DueJob>('pending_logins_over', EXPIRED_PENDING_LOGINS, [now])
}
