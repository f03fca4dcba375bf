import type { Input, Output } from '../../kernel/endpoint.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { Db, Reader } from '../../kernel/transaction.ts'
import type { Viewer } from '../../kernel/viewer.ts'
import type * as contract from './contract.ts'
import { NO_PUSH_FIELDS } from './contract.ts'

export type TokenKind = 'apns' | 'fcm'

interface StoredToken {
  readonly token_kind: TokenKind
  readonly token: string
  readonly appid: string | null
  readonly registered_at: number
}

const TOKENS_OF_USER = `
  select kind as token_kind, token, app_id as appid, registered_at from push_tokens
  where organization_id = $1 and user_id = $2 order by position desc`

async function tokensOf(db: Db, organizationId: number, userId: number): Promise<StoredToken[]> {
  return db.rows('push_tokens', TOKENS_OF_USER, [organizationId, userId])
}

export async function getPushTokens({
  db,
  organizationId,
  actor,
}: Reader): Promise<Output<typeof contract.getPushTokens>> {
  return { push_tokens: await tokensOf(db, organizationId, actor.userId) }
}

/** Always fails, but reports an unknown token as such, so that the client knows to register the token. */
export async function testPushNotification(
  { db, organizationId, actor }: Reader,
  { token }: Input<typeof contract.testPushNotification>,
): Promise<never> {
  const tokens = await tokensOf(db, organizationId, actor.userId)
  if (token !== undefined && !tokens.some((known) => known.token === token)) {
    throw new ApiError('INVALID_PUSH_DEVICE_TOKEN', 'Device not recognized')
  }
  throw noPushServiceError()
}

export async function registerPushDevice(): Promise<never> {
  throw noPushServiceError()
}

/** Always fails, because no device can register for encrypted notifications. */
export async function testEncryptedPushNotification(): Promise<never> {
  throw new ApiError('NO_ACTIVE_PUSH_DEVICE', 'No active registered push device')
}

function noPushServiceError(): ApiError {
  return new ApiError('PUSH_SERVICE_NOT_CONFIGURED', 'Server is not configured to use push notification service.')
}

const DEVICES_OF_USER = 'select id from client_devices where organization_id = $1 and user_id = $2 order by id'

export async function devicesOf(db: Db, organizationId: number, userId: number): Promise<number[]> {
  const rows = await db.rows<{ id: number }>('client_devices', DEVICES_OF_USER, [organizationId, userId])
  return rows.map(({ id }) => id)
}

export async function devicesSnapshot(db: Db, { organization, userId }: Viewer): Promise<Record<string, unknown>> {
  const ids = await devicesOf(db, organization.id, userId)
  return { devices: Object.fromEntries(ids.map((id) => [String(id), NO_PUSH_FIELDS])) }
}

export function pushDevicesSnapshot(): Record<string, unknown> {
  return { push_devices: {} }
}
