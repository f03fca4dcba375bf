import type { Kysely } from 'kysely'
import type { Fold, World } from '../../kernel/fold.ts'
import type { Tables } from '../../kernel/tables.ts'

interface AlertWordsState {
  /** In the order in which they were added. Users without words are not here. */
  readonly byUser: Map<number, readonly string[]>
}

/** All the words of one user. */
interface AlertWordsChange {
  readonly userId: number
  readonly words: readonly string[]
}

export const alertWordsFold: Fold<AlertWordsState, AlertWordsChange> = {
  name: 'alert-words',
  empty: () => ({ byUser: new Map() }),
  async load(state, database, organizationId) {
    // The fold reads its own capability's table.
    const db = database as unknown as Kysely<Tables>
    const rows = await db
      .selectFrom('alert_words')
      .select(['user_id', 'word'])
      .where('organization_id', '=', organizationId)
      .orderBy('id')
      .execute()
    const lists = new Map<number, string[]>()
    for (const { user_id, word } of rows) {
      const words = lists.get(user_id)
      if (words === undefined) lists.set(user_id, [word])
      else words.push(word)
    }
    for (const [userId, words] of lists) state.byUser.set(userId, words)
  },
  put(state, { userId, words }) {
    if (words.length === 0) state.byUser.delete(userId)
    else state.byUser.set(userId, words)
  },
}

export function alertWordsOf(world: World, userId: number): string[] {
  return [...(world.of(alertWordsFold).byUser.get(userId) ?? [])]
}
