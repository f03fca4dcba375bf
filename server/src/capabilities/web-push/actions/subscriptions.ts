import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Input, Output } from '../../../kernel/endpoint.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { ActorTx, Tx } from '../../../kernel/transaction.ts'
import type { Call, PreparationCall } from '../../../platform/request.ts'
import { OutsideFailure, parseOutsideUrl } from '../../../platform/outside/request.ts'
import { describeDevice } from '../../sessions/actions/device.ts'
import { knownUser } from '../../users/rules/index.ts'
import { PUSH_SUBSCRIPTION_LIMIT } from '../contract.ts'
import type * as contract from '../contract.ts'
import {
  deviceCountOf,
  pushSettingsOf,
  serverKeysOf,
  subscriptionsOf,
  webPushProjection,
  webPushStateOf,
} from '../queries.ts'
import { AUTH_SECRET_BYTES, isPublicKey, newServerKeys, type ServerKeys } from '../rules/cryptography.ts'

type EmptyResponse = Promise<Record<string, never>>

/** Not a query, because it creates the organization's keys on first use. */
export async function getPushSubscriptions({
  log,
  actor,
  reads,
}: Call): Promise<Output<typeof contract.getPushSubscriptions>> {
  const { id: organizationId } = log.organization
  requirePersonAccount(log.organization, actor.userId)
  const { publicKey } = (await serverKeysOf(reads, organizationId)) ?? (await log.write(makeServerKeys))
  const subscriptions = await subscriptionsOf(reads, organizationId, actor.userId)
  const { quietHours, showsContent } = await pushSettingsOf(reads, organizationId, actor.userId)
  return {
    application_server_key: publicKey.toString('base64url'),
    push_subscriptions: subscriptions.map(({ session_id, ...subscription }) => ({
      ...subscription,
      is_current: session_id !== null && session_id === actor.sessionId,
    })),
    quiet_hours: quietHours,
    shows_content: showsContent,
  }
}

async function makeServerKeys(tx: Tx): Promise<ServerKeys> {
  const known = await serverKeysOf(tx.db, tx.organizationId)
  if (known !== undefined) return known
  const keys = newServerKeys()
  await tx.db
    .insertInto('web_push_keys')
    .values({ organization_id: tx.organizationId, private_key: keys.privateKey, public_key: keys.publicKey })
    .execute()
  return keys
}

interface CheckedSubscription {
  readonly address: string
  readonly device: string
  readonly p256dh: Buffer
  readonly auth: Buffer
}

export function checkPushSubscription(
  { log, actor, cookies }: PreparationCall,
  input: Input<typeof contract.addPushSubscription>,
): CheckedSubscription {
  requirePersonAccount(log.organization, actor.userId)
  const address = normalizeEndpoint(input.endpoint)
  const [p256dh, auth] = [decodeBase64(input.p256dh), decodeBase64(input.auth)]
  if (p256dh === undefined || !isPublicKey(p256dh)) throw new ApiError('BAD_REQUEST', 'p256dh is not a valid key')
  if (auth?.length !== AUTH_SECRET_BYTES) throw new ApiError('BAD_REQUEST', 'auth is not a valid secret')
  return { address, device: describeDevice(cookies.userAgent), p256dh, auth }
}

export async function addPushSubscription(
  tx: ActorTx,
  input: Input<typeof contract.addPushSubscription>,
  { address, device, p256dh, auth }: CheckedSubscription,
): Promise<Output<typeof contract.addPushSubscription>> {
  await makeServerKeys(tx)
  const digest = hash('sha256', address, 'buffer')
  await deleteSubscriptions(tx, sql`endpoint_digest = ${digest}`)
  const { userId, sessionId = null } = tx.actor
  await deleteSubscriptions(
    tx,
    sql`id in (select id from push_subscriptions where organization_id = ${tx.organizationId} and user_id = ${userId}
      order by id desc offset ${PUSH_SUBSCRIPTION_LIMIT.most - 1})`,
  )
  const id = tx.nextId()
  await tx.db
    .insertInto('push_subscriptions')
    .values({
      organization_id: tx.organizationId,
      id,
      user_id: userId,
      session_id: sessionId,
      endpoint: address,
      endpoint_digest: digest,
      p256dh,
      auth,
      device,
      allows_silent: input.allows_silent,
      created_at: tx.now,
      failure: null,
    })
    .execute()
  tx.change(webPushProjection, await webPushStateOf(tx.db, tx.organizationId, userId))
  return { push_subscription_id: id }
}

function requirePersonAccount(organization: Tx['organization'], userId: number): void {
  if (knownUser(organization, userId).botType !== null) {
    throw new ApiError('BAD_REQUEST', 'This endpoint does not accept bot requests.')
  }
}

/** Normalizes a push service's URL, and thereby escapes characters that the database rejects. */
function normalizeEndpoint(endpoint: string): string {
  try {
    return parseOutsideUrl(endpoint).href
  } catch (error) {
    if (error instanceof OutsideFailure) throw new ApiError('BAD_REQUEST', `endpoint is not valid: ${error.message}`)
    throw error
  }
}

function decodeBase64(text: string): Buffer | undefined {
  return /^[\w+/-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined
}

async function deleteSubscriptions(tx: Tx, which: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql<{ userId: number }>`
    delete from push_subscriptions where organization_id = ${tx.organizationId} and ${which}
    returning user_id as "userId"`.execute(tx.db)
  for (const userId of new Set(rows.map((row) => row.userId))) {
    tx.change(webPushProjection, await webPushStateOf(tx.db, tx.organizationId, userId))
  }
  return rows.length
}

export async function deletePushSubscription(tx: Tx, id: number): Promise<void> {
  await deleteSubscriptions(tx, sql`id = ${id}`)
}

/** `creator`: IDs of the sessions that created the subscriptions, or `key` if the API key created them. */
export async function deletePushSubscriptionsCreatedBy(
  tx: Tx,
  userId: number,
  creator: readonly number[] | 'key',
): Promise<void> {
  if (deviceCountOf(tx.organization, userId) === 0) return
  await deleteSubscriptions(
    tx,
    sql`user_id = ${userId} and ${creator === 'key' ? sql`session_id is null` : sql`session_id = any(${creator})`}`,
  )
}

/** Deletes a user's subscriptions, except those of the session `except`. Returns the number deleted. */
export async function deletePushSubscriptionsOf(tx: Tx, userId: number, except?: number): Promise<number> {
  if (deviceCountOf(tx.organization, userId) === 0) return 0
  return deleteSubscriptions(tx, sql`user_id = ${userId} and session_id is distinct from ${except ?? 0}::bigint`)
}

export async function deletePushSubscriptionsOfSessions(tx: Tx): Promise<void> {
  if (tx.organization.of(webPushProjection).devices.size === 0) return
  await deleteSubscriptions(tx, sql`session_id is not null`)
}

export async function removePushSubscription(
  tx: ActorTx,
  { push_subscription_id: id }: Input<typeof contract.removePushSubscription>,
): EmptyResponse {
  await requireOwnSubscription(tx, id)
  await deletePushSubscription(tx, id)
  return {}
}

export async function testPushSubscription(
  tx: ActorTx,
  { push_subscription_id: id }: Input<typeof contract.testPushSubscription>,
): EmptyResponse {
  await requireOwnSubscription(tx, id)
  const due = { due_at: tx.now, attempts: 0 }
  await tx.db
    .insertInto('push_notifications')
    .values({
      organization_id: tx.organizationId,
      id: tx.nextId(),
      subscription_id: id,
      topic_id: 0,
      message_id: 0,
      shown_id: null,
      ...due,
    })
    .onConflict((conflict) => conflict.columns(['organization_id', 'subscription_id', 'topic_id']).doUpdateSet(due))
    .execute()
  return {}
}

async function requireOwnSubscription(tx: ActorTx, id: number): Promise<void> {
  const own = await subscriptionsOf(tx.db, tx.organizationId, tx.actor.userId)
  if (!own.some((subscription) => subscription.id === id)) {
    throw new ApiError('BAD_REQUEST', 'Invalid push subscription ID')
  }
}

export async function updatePushSettings(
  tx: ActorTx,
  { quiet_hours, shows_content }: Input<typeof contract.updatePushSettings>,
): EmptyResponse {
  requirePersonAccount(tx.organization, tx.actor.userId)
  const before = await pushSettingsOf(tx.db, tx.organizationId, tx.actor.userId)
  const quiet = quiet_hours === undefined ? before.quietHours : quiet_hours
  const chosen = {
    quiet_start: quiet?.start ?? null,
    quiet_end: quiet?.end ?? null,
    shows_content: shows_content ?? before.showsContent,
  }
  await tx.db
    .insertInto('push_settings')
    .values({ organization_id: tx.organizationId, user_id: tx.actor.userId, ...chosen })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doUpdateSet(chosen))
    .execute()
  return {}
}
