import { sql } from 'kysely'
import type { Input, Output } from '../../kernel/endpoint.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { ActorTx, Tx } from '../../kernel/transaction.ts'
import type * as contract from './contract.ts'
import {
  deviceAdded,
  deviceRemoved,
  CLIENT_DEVICE_LIMIT,
  MAX_APP_ID_CHARACTERS,
  MAX_TOKEN_CHARACTERS,
  PUSH_TOKEN_LIMIT,
} from './contract.ts'
import { devicesOf, type TokenKind } from './queries.ts'

type EmptyResponse = Promise<Record<string, never>>

export async function addApnsToken(tx: ActorTx, { token, appid }: Input<typeof contract.addApnsToken>): EmptyResponse {
  if (!/^[\w.-]+$/.test(appid) || appid.length > MAX_APP_ID_CHARACTERS)
    throw new ApiError('BAD_REQUEST', 'Invalid app ID')
  return addPushToken(tx, 'apns', token, appid)
}

export async function addFcmToken(tx: ActorTx, { token }: Input<typeof contract.addFcmToken>): EmptyResponse {
  return addPushToken(tx, 'fcm', token, null)
}

export async function removeApnsToken(tx: ActorTx, { token }: Input<typeof contract.removeApnsToken>): EmptyResponse {
  return removePushToken(tx, 'apns', token)
}

export async function removeFcmToken(tx: ActorTx, { token }: Input<typeof contract.removeFcmToken>): EmptyResponse {
  return removePushToken(tx, 'fcm', token)
}

async function addPushToken(tx: ActorTx, kind: TokenKind, token: string, appId: string | null): EmptyResponse {
  requireValidToken(kind, token)
  const { organizationId, actor } = tx
  const registered = { app_id: appId, position: tx.nextId(), registered_at: tx.now }
  await tx.db
    .insertInto('push_tokens')
    .values({ organization_id: organizationId, user_id: actor.userId, kind, token, ...registered })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id', 'kind', 'token']).doUpdateSet(registered))
    .execute()
  await sql`
    delete from push_tokens where organization_id = ${organizationId} and user_id = ${actor.userId} and position in (
      select position from push_tokens where organization_id = ${organizationId} and user_id = ${actor.userId}
      order by position desc offset ${PUSH_TOKEN_LIMIT.most})`.execute(tx.db)
  return {}
}

async function removePushToken(tx: ActorTx, kind: TokenKind, token: string): EmptyResponse {
  requireValidToken(kind, token)
  const { numDeletedRows } = await tx.db
    .deleteFrom('push_tokens')
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', tx.actor.userId)
    .where('kind', '=', kind)
    .where('token', '=', token)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw new ApiError('BAD_REQUEST', 'Token does not exist')
  return {}
}

export async function deletePushTokensOf(tx: Tx, userId: number): Promise<number> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('push_tokens')
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Accepts Apple's tokens in hexadecimal, and Google's tokens in printable ASCII. */
function requireValidToken(kind: TokenKind, token: string): void {
  if (token === '' || token.length > MAX_TOKEN_CHARACTERS)
    throw new ApiError('BAD_REQUEST', 'Empty or invalid length token')
  if (kind === 'apns' && !/^(?:[\da-f]{2})+$/i.test(token)) throw new ApiError('BAD_REQUEST', 'Invalid APNS token')
  if (kind === 'fcm' && !/^[\x21-\x7e]+$/.test(token)) throw new ApiError('BAD_REQUEST', 'Invalid FCM token')
}

export async function registerClientDevice(tx: ActorTx): Promise<Output<typeof contract.registerClientDevice>> {
  const { organizationId, actor } = tx
  const known = await devicesOf(tx.db, organizationId, actor.userId)
  const own = { users: [actor.userId] }
  for (const device_id of known.slice(0, Math.max(known.length + 1 - CLIENT_DEVICE_LIMIT.most, 0))) {
    await tx.db
      .deleteFrom('client_devices')
      .where('organization_id', '=', organizationId)
      .where('user_id', '=', actor.userId)
      .where('id', '=', device_id)
      .execute()
    tx.emit(deviceRemoved, { device_id }, own)
  }
  const device_id = tx.nextId()
  await tx.db
    .insertInto('client_devices')
    .values({ organization_id: organizationId, user_id: actor.userId, id: device_id })
    .execute()
  tx.emit(deviceAdded, { device_id }, own)
  return { device_id }
}
