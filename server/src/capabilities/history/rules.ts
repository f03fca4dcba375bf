import { isSpectator } from '../../kernel/actor.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import type { Reader } from '../../kernel/transaction.ts'
import { channelsProjection, isCurrentSubscription, subscriptionsProjection } from '../channels/queries/index.ts'
import { isPublished, readablePart } from '../channels/rules/index.ts'
import { notWithheldSql } from '../messages/queries/stored.ts'
import type { BindParameter, Condition } from './queries/questions.ts'

const inOwnConversationSql = (m: string): string => `(select true from conversations c join conversation_members cm
  on cm.organization_id = $1 and cm.user_id = $2 and cm.conversation_id = c.id
  where c.organization_id = $1 and c.topic_id = ${m}.topic_id and ${notWithheldSql({ message: m })})`

const whileSubscribedSql = (m: string): string => `(select s.periods @> ${m}.id from subscriptions s
  where s.organization_id = $1 and s.user_id = $2 and s.channel_id = ${m}.channel_id)`

/** Condition that the reader received a message (alias `message`). $1 is the organization, $2 the reader. */
export const receivedSql = ({ message: m }: { readonly message: string }): string =>
  `case when ${m}.channel_id is null then ${inOwnConversationSql(m)} else ${whileSubscribedSql(m)} end`

/**
 * Limits a narrow to received messages `m`, unless it includes all readable messages. Uses `case` to prevent joins.
 * Spectators receive nothing, and always get all that they can read.
 */
export function receivedOrReadableSql(reader: Reader, conditions: readonly Condition[], bind: BindParameter): string {
  if (isSpectator(reader.actor)) return publishedSql(reader, bind)
  const reaches = conditions.filter((condition) => !condition.negated).map((condition) => condition.question.reach)
  if (reaches.includes('granted')) return 'true'
  const received = receivedSql({ message: 'm' })
  const reached = reaches.includes('readable')
    ? `case when m.channel_id = any(${bind(fullyReadableChannelIds(reader))}::bigint[]) then true else ${received} end`
    : received
  return `${reached} and ${visibleChannelSql(reader, bind, 'm.channel_id')}`
}

function publishedChannels(organization: OrganizationState): { id: number; from: number }[] {
  return [...organization.of(channelsProjection).byId.values()].flatMap((channel) =>
    channel.webPublicFrom !== null && isPublished(organization, channel)
      ? [{ id: channel.id, from: channel.webPublicFrom }]
      : [],
  )
}

/** Returns a position before which spectators can read no message. */
export function firstPublishedPosition(organization: OrganizationState): number {
  return Math.min(organization.position, ...publishedChannels(organization).map(({ from }) => from))
}

/** The lowest position of all channels bounds the scan of an index. */
function publishedSql({ organization }: Reader, bind: BindParameter): string {
  const published = publishedChannels(organization)
  const [ids, froms] = [published.map(({ id }) => id), published.map(({ from }) => from)]
  return `m.id >= ${bind(Math.min(Number.MAX_SAFE_INTEGER, ...froms))}::bigint and m.id >= (
    select p.from_id from unnest(${bind(ids)}::bigint[], ${bind(froms)}::bigint[]) as p (channel_id, from_id)
    where p.channel_id = m.channel_id)`
}

/** Excludes private channels that the reader left and can no longer read. */
export function visibleChannelSql(reader: Reader, bind: BindParameter, column: string): string {
  const lost = lostChannelIds(reader)
  return lost.length === 0 ? 'true' : `coalesce(${column} <> all(${bind(lost)}::bigint[]), true)`
}

function lostChannelIds({ organization, actor }: Reader): number[] {
  const mine = organization.of(subscriptionsProjection).byUser.get(actor.userId)
  const { byId } = organization.of(channelsProjection)
  return [...(mine?.values() ?? [])]
    .filter((subscription) => {
      const channel = byId.get(subscription.channelId)
      return (
        !isCurrentSubscription(subscription) &&
        (channel === undefined || readablePart(organization, actor, channel) === 'none')
      )
    })
    .map((subscription) => subscription.channelId)
}

function fullyReadableChannelIds({ organization, actor }: Reader): number[] {
  return [...organization.of(channelsProjection).byId.values()]
    .filter((channel) => readablePart(organization, actor, channel) === 'all')
    .map((channel) => channel.id)
}

/** Channels of all messages that the reader can read or has received. */
export function reachableChannelIds(reader: Reader): number[] {
  const lost = new Set(lostChannelIds(reader))
  const mine = reader.organization.of(subscriptionsProjection).byUser.get(reader.actor.userId)
  const received = [...(mine?.keys() ?? [])].filter((id) => !lost.has(id))
  return [...new Set([...received, ...fullyReadableChannelIds(reader)])].toSorted((a, b) => a - b)
}
