import type { OrganizationState } from '../../../kernel/projection.ts'
import { channelsProjection, isSubscribed, subscribedPeriods, type Channel } from '../../channels/queries/index.ts'
import { members } from '../../users/queries/index.ts'
import { EXPORT_TYPE } from '../contract.ts'
import { consentsToExport } from './index.ts'

export interface ExportScope {
  readonly userIds: readonly number[]
  readonly channels: readonly Channel[]
  readonly wholeIds: readonly number[]
  /** For each consenting subscriber of a private channel with protected history: the periods of the subscription. */
  readonly parts: readonly { readonly channelId: number; readonly periods: string }[]
}

export function exportScope(organization: OrganizationState, exportType: number): ExportScope {
  const consenting =
    exportType === EXPORT_TYPE.fullWithConsent
      ? members(organization).filter((user) => user.isActive && user.botType === null && consentsToExport(user))
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
          periods: multirangeText(subscribedPeriods(organization, userId, channel.id)),
        })),
      ),
  }
}

function multirangeText(periods: readonly (readonly [number, number | null])[]): string {
  return `{${periods.map(([start, end]) => `[${start},${end ?? ''})`).join(',')}}`
}

/** `conversation` is null for a channel message; `first` is the number of the first parameter of `includedValues`. */
export const includedMessageSql = (names: {
  readonly message: string
  readonly conversation: string
  readonly first: number
}): string => {
  const { message: m, conversation: c, first } = names
  return `(${m}.channel_id = any($${first}::bigint[]) or ${c}.member_ids && $${first + 1}::bigint[] or exists (
    select from unnest($${first + 2}::bigint[], $${first + 3}::text[]) as part (channel_id, periods)
    where part.channel_id = ${m}.channel_id and ${m}.id <@ part.periods::int8multirange))`
}

export function includedValues({ wholeIds, userIds, parts }: ExportScope): readonly unknown[] {
  return [wholeIds, userIds, parts.map(({ channelId }) => channelId), parts.map(({ periods }) => periods)]
}
