import type { OrganizationState } from '../../../kernel/projection.ts'
import { channelsProjection, isSubscribed, subscribedPeriods, type Channel } from '../../channels/queries/index.ts'
import { members } from '../../users/queries/index.ts'
import { EXPORT_TYPE } from '../contract.ts'
import { consents } from './index.ts'

/** What an export has of what is not open to all members. */
export interface Included {
  /** The people who consent, of whom it has what is their own and what they can read. */
  readonly userIds: readonly number[]
  readonly channels: readonly Channel[]
  /** The channels of which it has all messages. */
  readonly wholeIds: readonly number[]
  /** Channels of protected history, each with the periods in which somebody who consents was subscribed. */
  readonly parts: readonly { readonly channelId: number; readonly periods: string }[]
}

/** What an export of a type has, by what the organization is at this moment. */
export function includedIn(organization: OrganizationState, exportType: number): Included {
  const consenting =
    exportType === EXPORT_TYPE.fullWithConsent
      ? members(organization).filter((user) => user.isActive && user.botType === null && consents(user))
      : []
  const userIds = consenting.map(({ id }) => id)
  const readersOf = (channel: Channel): number[] =>
    userIds.filter((userId) => isSubscribed(organization, userId, channel.id))
  const channels = [...organization.of(channelsProjection).byId.values()].filter(
    (channel) => !channel.inviteOnly || readersOf(channel).length > 0,
  )
  return {
    userIds,
    channels,
    wholeIds: channels.filter((channel) => !channel.inviteOnly || channel.historyPublic).map(({ id }) => id),
    parts: channels
      .filter((channel) => channel.inviteOnly && !channel.historyPublic)
      .flatMap((channel) =>
        readersOf(channel).map((userId) => ({
          channelId: channel.id,
          periods: multirange(subscribedPeriods(organization, userId, channel.id)),
        })),
      ),
  }
}

/** As PostgreSQL writes it: `{[3,7),[9,)}`. */
function multirange(periods: readonly (readonly [number, number | null])[]): string {
  return `{${periods.map(([start, end]) => `[${start},${end ?? ''})`).join(',')}}`
}

/**
 * Whether an export has a message.
 * @param message the name of a row of `messages`
 * @param conversation the name of its row of `conversations`, all null where it is in a channel
 * @param first the number of the first of the parameters, which `includedValues` gives
 */
export const includedSql = (names: {
  readonly message: string
  readonly conversation: string
  readonly first: number
}): string => {
  const { message: m, conversation: c, first } = names
  return `(${m}.channel_id = any($${first}::bigint[]) or ${c}.member_ids && $${first + 1}::bigint[] or exists (
    select from unnest($${first + 2}::bigint[], $${first + 3}::text[]) as part (channel_id, periods)
    where part.channel_id = ${m}.channel_id and ${m}.id <@ part.periods::int8multirange))`
}

export function includedValues({ wholeIds, userIds, parts }: Included): readonly unknown[] {
  return [wholeIds, userIds, parts.map(({ channelId }) => channelId), parts.map(({ periods }) => periods)]
}
