import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Actor } from '../../../kernel/actor.ts'
import type { Input } from '../../../kernel/endpoint.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { ActorTx, Tx } from '../../../kernel/transaction.ts'
import { deleteQueuesOfLogins } from '../../../platform/queues/store.ts'
import type { PreparationCall } from '../../../platform/request.ts'
import { revokeAccountLinks } from '../../account-links/actions/links.ts'
import { requirePassword } from '../../authentication/actions/owner.ts'
import { deletePendingLogins } from '../../second-factors/actions/pending.ts'
import type { UserRow } from '../../users/queries/index.ts'
import {
  deletePushSubscriptionsCreatedBy,
  deletePushSubscriptionsOfSessions,
} from '../../web-push/actions/subscriptions.ts'
import type * as contract from '../contract.ts'
import { KNOWN_DEVICE_LIMIT, LOGIN_LINK_LIMIT, SESSION_LIMIT } from '../contract.ts'
import { secretDigest, sessionsProjection } from '../queries.ts'
import { verifySessionClaim, parseSessionClaim } from '../rules.ts'
import { describeDevice } from './device.ts'

const SESSION_SECRET_BYTES = 32

function newSessionSecret(): string {
  return randomBytes(SESSION_SECRET_BYTES).toString('base64url')
}

/** Ends the least recently used session if there are too many. Returns the cookie's value, which is not stored. */
export async function beginSession(tx: Tx, user: UserRow, userAgent: string | undefined): Promise<string> {
  if (user.botType !== null) throw new Error(`user ${user.id} is a bot, which has no sessions`)
  const secret = newSessionSecret()
  const digest = secretDigest(secret)
  const id = tx.nextId()
  const device = describeDevice(userAgent)
  await recordKnownDevice(tx, user.id, device)
  await tx.db
    .insertInto('sessions')
    .values({
      organization_id: tx.organizationId,
      id,
      user_id: user.id,
      digest,
      device,
      created_at: tx.now,
      used_at: tx.now,
    })
    .execute()
  tx.change(sessionsProjection, { begun: id, userId: user.id, digest: digest.toString('hex'), usedAt: tx.now })
  const surplus = await tx.db
    .selectFrom('sessions')
    .select('id')
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', user.id)
    .orderBy(sql`id = ${id}`, 'desc')
    .orderBy('used_at', 'desc')
    .orderBy('id', 'desc')
    .offset(SESSION_LIMIT.most)
    .execute()
  await endSessions(
    tx,
    user.id,
    surplus.map((row) => row.id),
  )
  return `${id}.${secret}`
}

export async function endSessions(tx: Tx, userId: number, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await tx.db.deleteFrom('sessions').where('organization_id', '=', tx.organizationId).where('id', 'in', ids).execute()
  await deleteQueuesOfLogins(tx, userId, ids)
  await deletePushSubscriptionsCreatedBy(tx, userId, ids)
  tx.change(sessionsProjection, { userId, ended: ids })
}

export async function endPreviousSession(tx: Tx, cookie: string | undefined): Promise<void> {
  if (cookie === undefined) return
  const claim = parseSessionClaim(cookie, '')
  const session = verifySessionClaim(tx.organization, claim)
  if (session !== undefined) await endSessions(tx, session.userId, [claim.sessionId])
}

/** Ends a user's sessions, except the session `except`, and deletes sign-in links. Returns how many sessions ended. */
export async function endSessionsOf(tx: Tx, userId: number, except?: number): Promise<number> {
  const sessions = await tx.db
    .selectFrom('sessions')
    .select('id')
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', userId)
    .execute()
  const ended = sessions.map(({ id }) => id).filter((id) => id !== except)
  await endSessions(tx, userId, ended)
  await tx.db
    .deleteFrom('login_links')
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', userId)
    .execute()
  await revokeAccountLinks(tx, userId)
  await deletePendingLogins(tx, userId)
  return ended.length
}

export async function deleteKnownDevices(tx: Tx, userId: number): Promise<void> {
  await tx.db
    .deleteFrom('known_devices')
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', userId)
    .execute()
}

/** Remembers a device even after its sessions end. Returns whether the device is new. */
export async function recordKnownDevice(tx: Tx, userId: number, device: string): Promise<boolean> {
  const { rows } = await sql<{ isNew: boolean }>`
    insert into known_devices (organization_id, user_id, device, seen_at)
    values (${tx.organizationId}, ${userId}, ${device}, ${tx.now})
    on conflict (organization_id, user_id, device) do update set seen_at = excluded.seen_at
    returning xmax = 0 as "isNew"`.execute(tx.db)
  await sql`
    delete from known_devices where organization_id = ${tx.organizationId} and user_id = ${userId} and device in (
      select device from known_devices where organization_id = ${tx.organizationId} and user_id = ${userId}
      order by device = ${device} desc, seen_at desc offset ${KNOWN_DEVICE_LIMIT.most})`.execute(tx.db)
  return rows[0]?.isNew === true
}

/** Ends all sessions and sign-in links of the organization. The caller ends its event queues. */
export async function endAllSessions(tx: Tx): Promise<void> {
  const sessions = await tx.db
    .deleteFrom('sessions')
    .where('organization_id', '=', tx.organizationId)
    .returning(['id', 'user_id'])
    .execute()
  const idsOf = new Map<number, number[]>()
  for (const { id, user_id: userId } of sessions) idsOf.set(userId, [...(idsOf.get(userId) ?? []), id])
  for (const [userId, ended] of idsOf) tx.change(sessionsProjection, { userId, ended })
  await deletePushSubscriptionsOfSessions(tx)
  await tx.db.deleteFrom('login_links').where('organization_id', '=', tx.organizationId).execute()
}

export interface LoginLinkTerms {
  readonly seconds: number
  readonly isReusable?: boolean
}

/** The caller checks permissions. Returns the token for `loginLinkUrl`; the token is not stored. */
export async function makeLoginLink(tx: Tx, user: UserRow, terms: LoginLinkTerms): Promise<string> {
  if (user.botType !== null) throw new Error(`user ${user.id} is a bot, which signs in nowhere`)
  const token = newSessionSecret()
  await tx.db
    .insertInto('login_links')
    .values({
      organization_id: tx.organizationId,
      digest: secretDigest(token),
      user_id: user.id,
      expires_at: tx.now + terms.seconds,
      is_reusable: terms.isReusable ?? false,
    })
    .execute()
  await sql`
    delete from login_links where organization_id = ${tx.organizationId} and digest in (
      select digest from login_links where organization_id = ${tx.organizationId} and user_id = ${user.id}
      order by digest = ${secretDigest(token)} desc, expires_at desc offset ${LOGIN_LINK_LIMIT.most})`.execute(tx.db)
  return token
}

/** `url`: URL of the organization, without a trailing slash. */
export function loginLinkUrl(url: string, token: string): string {
  // Browsers do not send fragments to servers, so no log contains the token.
  return `${url}/login#link=${token}`
}

export async function recordConfirmation(tx: ActorTx): Promise<void> {
  await tx.db
    .updateTable('sessions')
    .set({ confirmed_at: tx.now })
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', requireSessionId(tx.actor))
    .execute()
}

export function requireSessionId({ sessionId }: Actor): number {
  if (sessionId === undefined) throw new ApiError('BAD_REQUEST', 'This request requires a session')
  return sessionId
}

interface EndedSession {
  readonly isOwn: boolean
}

export async function logout(tx: ActorTx): Promise<EndedSession> {
  await endSessions(tx, tx.actor.userId, [requireSessionId(tx.actor)])
  return { isOwn: true }
}

export async function endSession(
  tx: ActorTx,
  { session_id: id }: Input<typeof contract.endSession>,
): Promise<EndedSession> {
  const { userId, sessionId } = tx.actor
  const session = tx.organization.of(sessionsProjection).get(id)
  if (session?.userId !== userId) throw new ApiError('BAD_REQUEST', 'Invalid session ID')
  await endSessions(tx, userId, [id])
  return { isOwn: id === sessionId }
}

export function clearOwnCookie({ cookies }: PreparationCall, { isOwn }: EndedSession): Record<string, never> {
  if (isOwn) cookies.dropSession()
  return {}
}

export async function requireSessionOwner(
  call: PreparationCall,
  { password }: Input<typeof contract.confirmSession>,
): Promise<void> {
  requireSessionId(call.actor)
  await requirePassword(call, password)
}

export async function confirmSession(tx: ActorTx): Promise<Record<string, never>> {
  await recordConfirmation(tx)
  return {}
}
