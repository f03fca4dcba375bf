import type { OrganizationState } from '../../../kernel/projection.ts'
import type { Member } from '../../groups/rules.ts'
import type { ChannelRecord, ListedChannel } from '../contract/index.ts'
import { presentChannel, type Channel } from '../queries.ts'
import { firstMessageFor } from '../rules.ts'
import { shownCount } from '../rules/metadata-only-viewers.ts'

/** A channel as a member sees it that may know of it. */
export function showChannel(organization: OrganizationState, member: Member, channel: Channel): ChannelRecord {
  const record = presentChannel(organization, channel, shownCount(organization, member, channel.id))
  return showsFirst(organization, member, channel) ? record : withoutFirst(record)
}

/** Whether the member may read the channel's first message, or there is none. */
export function showsFirst(organization: OrganizationState, member: Member, channel: Channel): boolean {
  return firstMessageFor(organization, member, channel) === channel.firstMessageId
}

export function withoutFirst<Record extends ListedChannel>(record: Record): Record {
  return { ...record, first_message_id: null }
}
