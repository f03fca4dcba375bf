import { sql } from 'kysely'
import type { Input } from '../../../kernel/endpoint.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { ActorTx } from '../../../kernel/transaction.ts'
import type * as contract from '../contract.ts'
import { STORED_CHARACTER_LIMIT, STORED_KEY_LIMIT } from '../contract.ts'
import { unknownStorageKeyError, storageSize } from '../queries.ts'

const STORE_BOT_VALUES = `
  insert into bot_storage (organization_id, user_id, key, value)
  select $1, $2, key, value from unnest($3::text[], $4::text[]) as given (key, value)
  on conflict (organization_id, user_id, key) do update set value = excluded.value
  where bot_storage.value <> excluded.value`

export async function updateStorage(
  tx: ActorTx,
  { storage }: Input<typeof contract.updateStorage>,
): Promise<Record<string, never>> {
  const { organizationId, actor } = tx
  await tx.db.rows('keep_storage', STORE_BOT_VALUES, [
    organizationId,
    actor.userId,
    Object.keys(storage),
    Object.values(storage),
  ])
  const { keys, characters } = await storageSize(tx.db, organizationId, actor.userId)
  if (keys > STORED_KEY_LIMIT.most) {
    throw new ApiError('BAD_REQUEST', `Request exceeds storage limit by ${keys - STORED_KEY_LIMIT.most} keys.`)
  }
  if (characters > STORED_CHARACTER_LIMIT.most) {
    throw new ApiError(
      'BAD_REQUEST',
      `Request exceeds storage limit by ${characters - STORED_CHARACTER_LIMIT.most} characters.`,
    )
  }
  return {}
}

export async function removeStorage(
  tx: ActorTx,
  { keys }: Input<typeof contract.removeStorage>,
): Promise<Record<string, never>> {
  const own = tx.db
    .deleteFrom('bot_storage')
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', tx.actor.userId)
  if (keys === undefined) {
    await own.execute()
    return {}
  }
  const wanted = [...new Set(keys)]
  const { numDeletedRows } = await own.where('key', '=', sql<string>`any(${wanted})`).executeTakeFirstOrThrow()
  if (Number(numDeletedRows) < wanted.length) throw unknownStorageKeyError()
  return {}
}
