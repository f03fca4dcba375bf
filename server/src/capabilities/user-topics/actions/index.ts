import { caseKey } from '../../../kernel/case-key.ts'
import type { Input } from '../../../kernel/endpoint.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { SharedActorTx, SharedTx } from '../../../kernel/transaction.ts'
import { emitMutedTopics } from './muted-topics.ts'
import { channelById, channelByName } from '../../channels/queries/index.ts'
import { readablePart } from '../../channels/rules/index.ts'
import { normalizeRequestedTopic } from '../../channels/rules/topics.ts'
import type * as contract from '../contract.ts'
import { USER_TOPIC_LIMIT, userTopicChanged, VISIBILITY, type VisibilityPolicy } from '../contract.ts'
import { automaticallyRaisedPolicy, type AutomaticPolicy } from '../rules.ts'

export async function updateUserTopic(
  tx: SharedActorTx,
  input: Input<typeof contract.updateUserTopic>,
): Promise<Record<string, never>> {
  await changePolicy(tx, input.stream_id, input.topic, () => input.visibility_policy)
  return {}
}

export async function muteTopic(
  tx: SharedActorTx,
  input: Input<typeof contract.muteTopic>,
): Promise<Record<string, never>> {
  if ((input.stream_id === undefined) === (input.stream === undefined)) {
    throw new ApiError('BAD_REQUEST', "Please choose one: 'stream' or 'stream_id'.")
  }
  const channelId = input.stream_id ?? channelByName(tx.organization, input.stream ?? '')?.id
  await changePolicy(tx, channelId, input.topic, (before) => {
    if (input.op === 'add') return VISIBILITY.muted
    // Keeps other policies, because clients that use this endpoint know only muted topics.
    return before === VISIBILITY.muted ? VISIBILITY.none : before
  })
  return {}
}

/** Changes a topic's policy only to a higher one (unmuted, followed). Returns the new policy, if changed. */
export async function raisePolicy(
  tx: SharedActorTx,
  channelId: number,
  topic: string,
  automatic: AutomaticPolicy,
): Promise<2 | 3 | undefined> {
  const chosen = await currentPolicy(tx, channelId, topic)
  const policy = automaticallyRaisedPolicy(chosen.visibility_policy, automatic)
  if (policy === undefined) return undefined
  if (chosen.topic_name === null && chosen.count >= USER_TOPIC_LIMIT.most) return undefined
  await writePolicy(tx, channelId, topic, chosen, policy)
  return policy
}

interface ChosenPolicy {
  readonly topic_name: string | null
  readonly visibility_policy: VisibilityPolicy
  readonly count: number
}

/** An unreadable channel gets the same error as a missing channel, unless the policy is being cleared. */
async function changePolicy(
  tx: SharedActorTx,
  channelId: number | undefined,
  given: string,
  policyAfter: (before: VisibilityPolicy) => VisibilityPolicy,
): Promise<void> {
  const topic = normalizeRequestedTopic(tx.organization, tx.actor, given)
  const channel = channelId === undefined ? undefined : channelById(tx.organization, channelId)
  if (channel === undefined) throw invalidChannelError()
  const chosen = await currentPolicy(tx, channel.id, topic)
  const policy = policyAfter(chosen.visibility_policy)
  const isLetGo = policy === VISIBILITY.none && chosen.topic_name !== null
  if (!isLetGo && readablePart(tx.organization, tx.actor, channel) === 'none') throw invalidChannelError()
  if (policy === chosen.visibility_policy) return
  if (chosen.topic_name === null && chosen.count >= USER_TOPIC_LIMIT.most) {
    throw new ApiError('BAD_REQUEST', `You can mute, unmute, or follow at most ${USER_TOPIC_LIMIT.most} topics.`)
  }
  await writePolicy(tx, channel.id, topic, chosen, policy)
}

function invalidChannelError(): ApiError {
  return new ApiError('BAD_REQUEST', 'Invalid channel')
}

async function currentPolicy(tx: SharedActorTx, channelId: number, topic: string): Promise<ChosenPolicy> {
  const [row] = await tx.db.rows<ChosenPolicy>(
    'topic_policies',
    `select own.topic_name, coalesce(own.visibility_policy, 0)::int as visibility_policy, total.count
     from (select count(*)::int as count from user_topics where organization_id = $1 and user_id = $2) total
     left join user_topics own
     on own.organization_id = $1 and own.user_id = $2 and own.channel_id = $3 and own.name_key = $4`,
    [tx.organizationId, tx.actor.userId, channelId, caseKey(topic)],
  )
  if (row === undefined) throw new Error('counting found nothing')
  return row
}

async function writePolicy(
  tx: SharedActorTx,
  channelId: number,
  topic: string,
  before: ChosenPolicy,
  policy: VisibilityPolicy,
): Promise<void> {
  const topicName =
    policy === VISIBILITY.none
      ? await deletePolicy(tx, channelId, topic)
      : await storePolicy(tx, channelId, topic, policy)
  const audience = { users: [tx.actor.userId] }
  tx.emit(
    userTopicChanged,
    { stream_id: channelId, topic_name: topicName, last_updated: tx.now, visibility_policy: policy },
    audience,
  )
  if (before.visibility_policy !== VISIBILITY.muted && policy !== VISIBILITY.muted) return
  await emitMutedTopics(tx, [tx.actor.userId])
}

/** Whether the actor can read all of a channel's messages; other actors must not learn which topics it has. */
function canReadAllMessages(tx: SharedActorTx, channelId: number): boolean {
  const channel = channelById(tx.organization, channelId)
  return channel !== undefined && readablePart(tx.organization, tx.actor, channel) === 'all'
}

/** Stores a policy. Returns the topic's permanent spelling: as in its messages, or else as in its first policy. */
async function storePolicy(
  tx: SharedActorTx,
  channelId: number,
  topic: string,
  policy: VisibilityPolicy,
): Promise<string> {
  const [row] = await tx.db.rows<{ topic_name: string }>(
    'keep_topic_policies',
    `insert into user_topics as u
       (organization_id, user_id, channel_id, name_key, topic_name, visibility_policy, last_updated)
     values ($1, $2, $3, $4, coalesce(
       (select name from topics where $8 and organization_id = $1 and channel_id = $3 and name_key = $4), $5), $6, $7)
     on conflict (organization_id, user_id, channel_id, name_key)
     do update set visibility_policy = excluded.visibility_policy, last_updated = excluded.last_updated
     returning u.topic_name`,
    [
      tx.organizationId,
      tx.actor.userId,
      channelId,
      caseKey(topic),
      topic,
      policy,
      tx.now,
      canReadAllMessages(tx, channelId),
    ],
  )
  return row?.topic_name ?? topic
}

async function deletePolicy(tx: SharedActorTx, channelId: number, topic: string): Promise<string> {
  const row = await tx.db
    .deleteFrom('user_topics')
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', tx.actor.userId)
    .where('channel_id', '=', channelId)
    .where('name_key', '=', caseKey(topic))
    .returning('topic_name')
    .executeTakeFirst()
  return row?.topic_name ?? topic
}

export interface NamedTopic {
  readonly channelId: number
  readonly topic: string
}

interface MovedPolicy {
  readonly user_id: number
  readonly topic_name: string
  readonly visibility_policy: VisibilityPolicy
  readonly other_policy: VisibilityPolicy
}

/** Effect of a topic's move on a user's policy. `merges`: the user could already read the target topic. */
export type PolicyMoveEffect = 'stays' | 'goes along' | 'merges' | 'loses'

/** Moves policies with a topic. In a merge, the more visible policy wins, but a muted source changes nothing. */
export async function movePolicies(
  tx: SharedTx,
  from: NamedTopic,
  to: NamedTopic,
  fate: (userId: number) => PolicyMoveEffect,
): Promise<void> {
  if (from.channelId === to.channelId && caseKey(from.topic) === caseKey(to.topic)) return
  const choices = await tx.db.rows<MovedPolicy>(
    'move_choices',
    `select own.user_id, own.topic_name, own.visibility_policy::int, coalesce(other.visibility_policy, 0)::int as other_policy
     from user_topics own
     left join user_topics other on other.organization_id = $1 and other.user_id = own.user_id
       and other.channel_id = $4 and other.name_key = $5
     where own.organization_id = $1 and own.channel_id = $2 and own.name_key = $3 order by own.user_id`,
    [tx.organizationId, from.channelId, caseKey(from.topic), to.channelId, caseKey(to.topic)],
  )
  for (const choice of choices) {
    const becomes = fate(choice.user_id)
    if (becomes === 'stays') continue
    await movePolicy(tx, choice, from, becomes === 'loses' ? undefined : to, becomes === 'merges')
  }
}

async function movePolicy(
  tx: SharedTx,
  { user_id: userId, topic_name, visibility_policy: chosen, other_policy: other }: MovedPolicy,
  from: NamedTopic,
  to: NamedTopic | undefined,
  merges: boolean,
): Promise<void> {
  const audience = { users: [userId] }
  await tx.db
    .deleteFrom('user_topics')
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', userId)
    .where('channel_id', '=', from.channelId)
    .where('name_key', '=', caseKey(from.topic))
    .execute()
  const gone = { stream_id: from.channelId, topic_name, last_updated: tx.now, visibility_policy: VISIBILITY.none }
  tx.emit(userTopicChanged, gone, audience)
  const policy = (merges && chosen === VISIBILITY.muted) || other > chosen ? other : chosen
  if (to !== undefined && policy !== other) {
    const [row] = await tx.db.rows<{ topic_name: string }>(
      'move_topic_policies',
      `insert into user_topics as u
         (organization_id, user_id, channel_id, name_key, topic_name, visibility_policy, last_updated)
       values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (organization_id, user_id, channel_id, name_key)
       do update set visibility_policy = excluded.visibility_policy, last_updated = excluded.last_updated
       returning u.topic_name`,
      [tx.organizationId, userId, to.channelId, caseKey(to.topic), to.topic, policy, tx.now],
    )
    const spelled = row?.topic_name ?? to.topic
    tx.emit(
      userTopicChanged,
      { stream_id: to.channelId, topic_name: spelled, last_updated: tx.now, visibility_policy: policy },
      audience,
    )
  }
  if (chosen !== VISIBILITY.muted && other !== VISIBILITY.muted) return
  await emitMutedTopics(tx, [userId])
}
