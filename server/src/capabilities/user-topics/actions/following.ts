import { BoundedCache } from '../../../kernel/bounded-cache.ts'
import { caseKey } from '../../../kernel/case-key.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import type { SharedTx } from '../../../kernel/transaction.ts'
import { emitMutedTopics } from './muted-topics.ts'
import { channelById } from '../../channels/queries/index.ts'
import { USER_TOPIC_LIMIT, userTopicChanged, VISIBILITY } from '../contract.ts'

/** Maximum number of cached entries per organization. They take a few megabytes. */
const MAX_CACHED_FOLLOWS = 20_000

const cachesByOrganization = new WeakMap<OrganizationState, BoundedCache<string, true>>()

interface FollowedTopic {
  readonly channelId: number | null
  readonly topic: string
}

/** Entries can be outdated, so callers must check them in the database. */
export interface FollowCache {
  has(userId: number, place: FollowedTopic): boolean
  learn(userId: number, place: FollowedTopic, follows: boolean): void
}

export function makeFollowCache(organization: OrganizationState): FollowCache {
  const known = cachesByOrganization.get(organization) ?? new BoundedCache(MAX_CACHED_FOLLOWS)
  cachesByOrganization.set(organization, known)
  const keyOf = (userId: number, { channelId, topic }: FollowedTopic): string =>
    `${userId} ${channelId} ${caseKey(topic)}`
  return {
    has: (userId, place) => known.get(keyOf(userId, place)) === true,
    learn(userId, place, follows) {
      if (follows) known.set(keyOf(userId, place), true)
      else known.delete(keyOf(userId, place))
    },
  }
}

export async function followTopicForUsers(
  tx: SharedTx,
  userIds: readonly number[],
  channelId: number,
  topic: string,
): Promise<void> {
  const spelledAlike = channelById(tx.organization, channelId)?.historyPublic === true
  const followed = await tx.db.rows<{ user_id: number; topic_name: string; was_muted: boolean }>(
    'follow_for_all',
    `with before as materialized (
       select user_id, visibility_policy from user_topics
       where organization_id = $1 and user_id = any($2::bigint[]) and channel_id = $3 and name_key = $4),
     kept as (
       insert into user_topics as u
         (organization_id, user_id, channel_id, name_key, topic_name, visibility_policy, last_updated)
       select $1, id, $3, $4, coalesce(
         (select name from topics where $8 and organization_id = $1 and channel_id = $3 and name_key = $4), $5), $6, $7
       from unnest($2::bigint[]) as id
       where exists (select 1 from before where before.user_id = id)
       or (select count(*) from user_topics where organization_id = $1 and user_id = id) < $9
       on conflict (organization_id, user_id, channel_id, name_key)
       do update set visibility_policy = excluded.visibility_policy, last_updated = excluded.last_updated
       where u.visibility_policy <> excluded.visibility_policy
       returning u.user_id, u.topic_name)
     select kept.user_id, kept.topic_name, coalesce(before.visibility_policy = $10, false) as was_muted
     from kept left join before on before.user_id = kept.user_id order by kept.user_id`,
    [
      tx.organizationId,
      userIds,
      channelId,
      caseKey(topic),
      topic,
      VISIBILITY.followed,
      tx.now,
      spelledAlike,
      USER_TOPIC_LIMIT.most,
      VISIBILITY.muted,
    ],
  )
  for (const { user_id, topic_name, was_muted } of followed) {
    const change = { stream_id: channelId, topic_name, last_updated: tx.now, visibility_policy: VISIBILITY.followed }
    tx.emit(userTopicChanged, change, { users: [user_id] })
    if (was_muted) await emitMutedTopics(tx, [user_id])
  }
}
