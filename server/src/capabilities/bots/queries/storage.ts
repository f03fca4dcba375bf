import type { Input, Output } from '../../../kernel/endpoint.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { Db, Reader } from '../../../kernel/transaction.ts'
import type * as contract from '../contract.ts'

const STORED_VALUES = `
  select key, value from bot_storage
  where organization_id = $1 and user_id = $2 and ($3::text[] is null or key = any($3)) order by key`

export async function getStorage(
  { db, organizationId, actor }: Reader,
  { keys }: Input<typeof contract.getStorage>,
): Promise<Output<typeof contract.getStorage>> {
  const wanted = keys === undefined ? null : [...new Set(keys)]
  const stored = await db.rows<{ key: string; value: string }>('bot_storage', STORED_VALUES, [
    organizationId,
    actor.userId,
    wanted,
  ])
  if (wanted !== null && stored.length < wanted.length) throw noSuchKeyError()
  return { storage: Object.fromEntries(stored.map(({ key, value }) => [key, value])) }
}

export async function storageSize(
  db: Db,
  organizationId: number,
  userId: number,
): Promise<{ keys: number; characters: number }> {
  const [size] = await db.rows<{ keys: number; characters: number }>(
    'storage_size',
    `select count(*)::int as keys, coalesce(sum(characters), 0)::int as characters from bot_storage
     where organization_id = $1 and user_id = $2`,
    [organizationId, userId],
  )
  return size ?? { keys: 0, characters: 0 }
}

export function noSuchKeyError(): ApiError {
  return new ApiError('BAD_REQUEST', 'Key does not exist.')
}
