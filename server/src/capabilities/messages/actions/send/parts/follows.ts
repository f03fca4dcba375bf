import { eventName } from '../../../../../kernel/event.ts'
import type { LogRow } from '../../../../../platform/log/row.ts'
import { makeFollowCache } from '../../../../user-topics/actions/following.ts'
import { userTopicChanged, VISIBILITY, type UserTopic } from '../../../../user-topics/contract.ts'
import { followSql, notFollowingSql } from '../../../../user-topics/queries.ts'
import type { SendBatch, StatementPart, ResultQuery, StatementResults, ResultRow } from '../part.ts'

interface FollowRow extends ResultRow {
  readonly id: number
  readonly topic: string
  readonly userId: number
  readonly channelId: number
}

const MENTIONED_FOLLOWERS_SQL = `
mentioned as (
  select follower.user_id, placed.n, placed.channel_id, placed.topic_id, placed.topic_key, placed.topic_name
  from placed join unnest($follower_messages::bigint[], $followers::bigint[]) as follower(n, user_id)
    on follower.n = placed.n)`

/** Reads the relation `later`: users whom the consumer `followUp` makes follow the topic. */
const FOLLOWS_LEFT_TO_CONSUMER: ResultQuery = {
  what: 'to follow',
  columns: { n: 'n', base: 'base', userId: 'user_id' },
  from: 'later cross join lock',
}

const followerValues = ({ followers }: SendBatch): Record<string, unknown> => ({
  follower_messages: followers.map(({ n }) => n),
  followers: followers.map(({ userId }) => userId),
})

/** Makes mentioned users follow the topic. The events take positions after the messages. */
export const followsPart: StatementPart = {
  name: 'follows',
  isNeeded: ({ organization, followers }) => {
    const cache = makeFollowCache(organization)
    return !followers.every(({ userId, message }) => cache.has(userId, message))
  },
  sql: () => `${MENTIONED_FOLLOWERS_SQL},
${followSql({ mentions: 'mentioned' }).trim()},
later as (select n, user_id from follower where before = ${VISIBILITY.muted}),
newest as (select max(id) as id from placed),
follow_event as (
  insert into events (organization_id, position, type, ref_id, audience, payload, recorded_at)
  select $organization, newest.id + k, '${eventName(userTopicChanged)}', null,
         jsonb_build_object('users', jsonb_build_array(user_id)),
         jsonb_build_object('stream_id', channel_id, 'topic_name', topic_name, 'last_updated', $now::bigint,
                            'visibility_policy', ${VISIBILITY.followed}), $now
  from followed cross join newest)`,
  takesPositions: 'followed',
  values: followerValues,
  answers: [
    {
      what: 'followed',
      columns: {
        n: 'k',
        base: 'base',
        id: 'newest.id + k',
        topic: 'topic_name',
        userId: 'user_id',
        channelId: 'channel_id',
      },
      from: 'followed cross join newest cross join lock',
    },
    FOLLOWS_LEFT_TO_CONSUMER,
  ],
  results(rows, batch, results) {
    const followed = rows.filter((row): row is FollowRow => row.what === 'followed')
    results.events.push(...followed.map((row) => followEvent(row, batch.now)))
    cacheFollows(rows, batch, results)
  },
}

export const followChecksPart: StatementPart = {
  name: 'following',
  isNeeded: (batch) => batch.followers.length > 0 && followsPart.isNeeded?.(batch) === false,
  sql: () => `${MENTIONED_FOLLOWERS_SQL},
later as materialized (
  select n, user_id from mentioned where ${notFollowingSql({ mentions: 'mentioned' })})`,
  values: followerValues,
  answers: [FOLLOWS_LEFT_TO_CONSUMER],
  results: cacheFollows,
}

function cacheFollows(
  rows: readonly ResultRow[],
  { organization, followers }: SendBatch,
  results: StatementResults,
): void {
  const cache = makeFollowCache(organization)
  const toFollow = rows.filter((row) => row.what === 'to follow')
  for (const { n, userId, message } of followers) {
    const later = toFollow.some((row) => row.n === n && row.userId === userId)
    cache.learn(userId, message, !later)
  }
  for (const n of new Set(toFollow.map((row) => row.n))) {
    const outcome = results.outcomes.get(n)
    const id = typeof outcome === 'object' && 'id' in outcome ? outcome.id : undefined
    const index = results.events.findIndex(({ position }) => position === id)
    const event = results.events[index]
    if (event === undefined) continue
    const to_follow = toFollow.filter((row) => row.n === n).map(({ userId }) => userId)
    results.events[index] = { ...event, payload: { ...event.payload, to_follow } }
  }
}

function followEvent({ id, channelId, topic, userId }: FollowRow, now: number): LogRow {
  const payload: UserTopic = {
    stream_id: channelId,
    topic_name: topic,
    last_updated: now,
    visibility_policy: VISIBILITY.followed,
  }
  return {
    position: id,
    type: eventName(userTopicChanged),
    refId: null,
    audience: { users: [userId] },
    payload,
    changes: null,
  }
}
