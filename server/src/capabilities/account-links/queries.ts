import { caseKey } from '../../kernel/case-key.ts'
import type { Db } from '../../kernel/transaction.ts'
import type { DueJob } from '../../platform/jobs/pieces.ts'
import { ACCOUNT_LINK_LIMIT, ADDRESS_MAIL_PERIOD_SECONDS } from './contract.ts'
import { FULL_MAIL_QUEUES } from '../mail/queries.ts'
import type { UserRow } from '../users/queries/index.ts'

export interface AccountLink {
  readonly userId: number
  readonly newEmail: string | null
}

const LINK_BY_DIGEST = `
  select user_id as "userId", new_email as "newEmail" from account_links
  where organization_id = $1 and digest = $2 and expires_at > $3 and (new_email is null) = $4`

export async function accountLinkByDigest(
  db: Db,
  organizationId: number,
  digest: Buffer,
  { purpose, now }: { purpose: 'password' | 'address'; now: number },
): Promise<AccountLink | undefined> {
  const isForPassword = purpose === 'password'
  const [row] = await db.rows<AccountLink>('account_link', LINK_BY_DIGEST, [organizationId, digest, now, isForPassword])
  return row
}

const COUNT_PASSWORD_LINKS = `
  select count(*)::int as count from account_links
  where organization_id = $1 and user_id = $2 and new_email is null and expires_at > $3`

export async function hasMaxPasswordLinks(
  db: Db,
  organizationId: number,
  userId: number,
  now: number,
): Promise<boolean> {
  const [row] = await db.rows<{ count: number }>('password_links', COUNT_PASSWORD_LINKS, [organizationId, userId, now])
  return (row?.count ?? 0) >= ACCOUNT_LINK_LIMIT.most
}

const CONFIRMED_ADDRESS = `
  select 1 from confirmed_addresses where organization_id = $1 and user_id = $2 and email_key = $3`

export async function hasConfirmedAddress(
  db: Db,
  organizationId: number,
  { id, deliveryEmail }: Pick<UserRow, 'id' | 'deliveryEmail'>,
): Promise<boolean> {
  return (
    (await db.rows('confirmed_address', CONFIRMED_ADDRESS, [organizationId, id, caseKey(deliveryEmail)])).length > 0
  )
}

const MAX_DUE_JOBS = 100

const DUE_PASSWORD_REQUESTS = `
  select r.organization_id as "organizationId", r.id from password_requests r
  join organization_settings o on o.organization_id = r.organization_id and not o.deactivated
  where r.organization_id not in (${FULL_MAIL_QUEUES})
  order by r.organization_id, r.id limit ${MAX_DUE_JOBS}`

export async function duePasswordRequests(db: Db): Promise<DueJob[]> {
  return db.rows<DueJob>('password_requests', DUE_PASSWORD_REQUESTS, [])
}

const EXPIRED_LINKS = `
  select distinct organization_id as "organizationId", 0 as id from account_links
  where expires_at <= $1 and made_at <= $2 limit 100`

/** Ignores recent links, which count toward the limit on emails even after they expire. */
export async function organizationsWithExpiredLinks(db: Db, now: number): Promise<DueJob[]> {
  return db.rows<DueJob>('account_links_over', EXPIRED_LINKS, [now, now - ADDRESS_MAIL_PERIOD_SECONDS])
}
