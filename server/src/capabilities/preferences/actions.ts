import type { Input } from '../../kernel/endpoint.ts'
import { ApiError } from '../../kernel/refusal.ts'
import { countCodePoints } from '../../kernel/schemas.ts'
import type { ActorTx } from '../../kernel/transaction.ts'
import type * as contract from './contract.ts'
import { PREFERENCE_CHARACTER_LIMIT, PREFERENCE_LIMIT, preferencesChanged } from './contract.ts'
import { preferencesOf } from './queries.ts'

const SAVE_PREFERENCES = `
  insert into preferences (organization_id, user_id, name, value)
  select $1, $2, name, value from unnest($3::text[], $4::text[]) as given (name, value)`

const DELETE_PREFERENCES =
  'delete from preferences where organization_id = $1 and user_id = $2 and name = any($3::text[])'

export async function updatePreferences(
  tx: ActorTx,
  { preferences }: Input<typeof contract.updatePreferences>,
): Promise<Record<string, never>> {
  const { organizationId, actor } = tx
  const stored = new Map(Object.entries(await preferencesOf(tx.db, organizationId, actor.userId)))
  const changed = Object.entries(preferences).filter(([name, value]) => (stored.get(name) ?? null) !== value)
  if (changed.length === 0) return {}
  for (const [name, value] of changed) {
    if (value === null) stored.delete(name)
    else stored.set(name, value)
  }
  requirePreferenceCapacity(stored)
  const names = changed.map(([name]) => name)
  const written = names.filter((name) => stored.has(name))
  await tx.db.rows('forget_preferences', DELETE_PREFERENCES, [organizationId, actor.userId, names])
  await tx.db.rows('keep_preferences', SAVE_PREFERENCES, [
    organizationId,
    actor.userId,
    written,
    written.map((name) => stored.get(name)),
  ])
  tx.emit(
    preferencesChanged,
    { preferences: Object.fromEntries(changed) },
    { users: [actor.userId], clients: { capability: 'preferences', has: true } },
  )
  return {}
}

function requirePreferenceCapacity(kept: ReadonlyMap<string, string>): void {
  if (kept.size > PREFERENCE_LIMIT.most) {
    throw new ApiError('BAD_REQUEST', `You can have at most ${PREFERENCE_LIMIT.most} preferences.`)
  }
  const { most } = PREFERENCE_CHARACTER_LIMIT
  if (countCodePoints([...kept].flat().join('')) > most) {
    throw new ApiError('BAD_REQUEST', `Preferences can have at most ${most} characters in total.`)
  }
}
