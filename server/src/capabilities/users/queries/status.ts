import type { Kysely } from 'kysely'
import type { Fold, World } from '../../../kernel/fold.ts'
import type { Tables } from '../../../kernel/tables.ts'
import { withoutEmpty, type Status } from '../contract/status.ts'
import { usersFold } from '../queries.ts'

/** A status as it is stored: empty where there is none. */
export interface StoredStatus {
  readonly status_text: string
  readonly emoji_name: string
  readonly emoji_code: string
  readonly reaction_type: NonNullable<Status['reaction_type']>
}

export const NO_STATUS: StoredStatus = {
  status_text: '',
  emoji_name: '',
  emoji_code: '',
  reaction_type: 'unicode_emoji',
}

interface StatusesState {
  /** Of those who have one. */
  readonly byUser: Map<number, StoredStatus>
}

/** What everybody is about. */
export const statusesFold: Fold<StatusesState, StoredStatus & { readonly userId: number }> = {
  name: 'statuses',
  empty: () => ({ byUser: new Map() }),
  async load(state, database, organizationId) {
    // The fold reads its own capability's tables.
    const db = database as unknown as Kysely<Tables>
    const rows = await db
      .selectFrom('user_statuses')
      .select(['user_id as userId', 'status_text', 'emoji_name', 'emoji_code', 'reaction_type'])
      .where('organization_id', '=', organizationId)
      .orderBy('user_id')
      .execute()
    // Written only by this capability's actions, for which the type of the emoji has been checked.
    for (const row of rows as (StoredStatus & { userId: number })[]) statusesFold.put(state, row, 0)
  },
  put({ byUser }, { userId, ...status }) {
    if (status.status_text === '' && status.emoji_name === '') byUser.delete(userId)
    else byUser.set(userId, status)
  },
}

export function storedStatus(world: World, userId: number): StoredStatus {
  return world.of(statusesFold).byUser.get(userId) ?? NO_STATUS
}

/** What a user is about, as the API shows it. */
export function statusOf(world: World, userId: number): Status {
  return withoutEmpty({ away: world.of(usersFold).away.has(userId), ...storedStatus(world, userId) })
}

/** The ids of those who are about something, or away. */
export function idsWithStatus(world: World): Set<number> {
  return new Set([...world.of(statusesFold).byUser.keys(), ...world.of(usersFold).away])
}
