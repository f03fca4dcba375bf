import { hash, randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { changesOf, type Projection, type RecordedChange } from '../../kernel/projection.ts'
import type { Tables } from '../../kernel/tables.ts'
import type { Db } from '../../kernel/transaction.ts'

interface ApiKeyChange {
  readonly userId: number
  readonly digest: string
  readonly endsQueues?: boolean
}

/** Generates 32 base64 characters without `+`, `/`, and `=`: 190 bits. */
export function newApiKey(): string {
  return randomBytes(32).toString('base64').replace(/[+/=]/g, '').slice(0, 32)
}

/** SHA-256 of each user's API key. In the log, digests are hex. */
export const apiKeysProjection: Projection<Map<number, Buffer>, ApiKeyChange> = {
  name: 'api_keys',
  // Replacing a key revokes access; a user's first key does not.
  takesRights: (digests, { userId }) => digests.has(userId),
  empty: () => new Map(),
  async load(state, db, organizationId) {
    const rows = await db
      .selectFrom('credentials')
      .select([
        sql<number[]>`array_agg(user_id)`.as('userIds'),
        sql<Buffer>`string_agg(sha256(convert_to(api_key, 'UTF8')), '')`.as('digests'),
      ])
      .where('organization_id', '=', organizationId)
      .groupBy('organization_id')
      .execute()
    for (const { userIds, digests } of rows) {
      for (const [index, userId] of userIds.entries()) {
        state.set(userId, digests.subarray(index * DIGEST_BYTES, (index + 1) * DIGEST_BYTES))
      }
    }
  },
  apply(state, { userId, digest }) {
    state.set(userId, Buffer.from(digest, 'hex'))
  },
}

export function renewedApiKeysIn(changes: readonly RecordedChange[]): readonly ApiKeyChange[] {
  return changesOf(apiKeysProjection, changes)
}

export const DIGEST_BYTES = 32

export function apiKeyDigest(apiKey: string): string {
  return hash('sha256', apiKey)
}

export async function apiKeyOf(db: Kysely<Tables>, organizationId: number, userId: number): Promise<string> {
  const row = await db
    .selectFrom('credentials')
    .select('api_key')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return row.api_key
}

export async function readApiKeys(
  db: Db,
  organizationId: number,
  userIds: readonly number[],
): Promise<Map<number, string>> {
  const rows = await db.rows<{ user_id: number; api_key: string }>(
    'api_keys',
    'select user_id, api_key from credentials where organization_id = $1 and user_id = any($2)',
    [organizationId, userIds],
  )
  return new Map(rows.map(({ user_id, api_key }) => [user_id, api_key]))
}

export async function hasPasswordHash(
  db: Db,
  organizationId: number,
  userId: number,
  passwordHash: string,
): Promise<boolean> {
  const rows = await db.rows(
    'password_hash',
    'select 1 from credentials where organization_id = $1 and user_id = $2 and password_hash = $3',
    [organizationId, userId, passwordHash],
  )
  return rows.length > 0
}

interface StoredCredentials {
  readonly password_hash: string | null
  readonly api_key: string
  readonly deactivation_comment: string | null
}

export async function credentialsOf(
  db: Db,
  organizationId: number,
  userId: number,
): Promise<StoredCredentials | undefined> {
  const [row] = await db.rows<StoredCredentials>(
    'credentials',
    'select password_hash, api_key, deactivation_comment from credentials where organization_id = $1 and user_id = $2',
    [organizationId, userId],
  )
  return row
}
