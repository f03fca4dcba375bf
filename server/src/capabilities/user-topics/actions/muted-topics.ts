import type { Audience } from '../../../kernel/audience.ts'
import type { SharedTx } from '../../../kernel/transaction.ts'
import type { UserChannel } from '../../channels/queries/index.ts'
import { mutedTopicsChanged } from '../contract.ts'
import { mutedTopicsOf, type LoggedMutedTopics, type MutedTopicEntry } from '../queries.ts'

/** Sends each user all of their muted topics, because older clients replace their whole list. */
export async function emitMutedTopics(
  tx: SharedTx,
  userIds: readonly number[],
  clients: Pick<Audience, 'clients'> = {},
): Promise<void> {
  const lists = new Map(userIds.map((userId): [number, MutedTopicEntry[]] => [userId, []]))
  for (const { user_id, ...muted } of await mutedTopicsOf(tx.db, tx.organizationId, userIds))
    lists.get(user_id)?.push(muted)
  for (const [userId, muted] of lists) {
    const list: LoggedMutedTopics = { muted_topics: [], muted }
    tx.emit(mutedTopicsChanged, list, { users: [userId], ...clients })
  }
}

/** Must be called after a change is recorded, so that the sent lists include it. */
export async function emitMutedTopicsIn(
  tx: SharedTx,
  places: readonly UserChannel[],
  clients: Pick<Audience, 'clients'> = {},
): Promise<void> {
  if (places.length === 0) return
  const muters = await tx.db.rows<{ user_id: number }>(
    'emit_muted_in',
    `select user_id from unnest($2::bigint[], $3::bigint[]) as place(user_id, channel_id)
     where exists (select 1 from user_topics own where own.organization_id = $1 and own.user_id = place.user_id
       and own.channel_id = place.channel_id and own.visibility_policy = 1)
     group by user_id order by user_id`,
    [tx.organizationId, places.map(({ userId }) => userId), places.map(({ channelId }) => channelId)],
  )
  const userIds = muters.map(({ user_id }) => user_id)
  if (userIds.length > 0) await emitMutedTopics(tx, userIds, clients)
}
