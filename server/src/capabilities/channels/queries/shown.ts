import type { OrganizationState } from '../../../kernel/projection.ts'
import type { Viewer } from '../../../kernel/viewer.ts'
import type { Member } from '../../groups/rules.ts'
import { viewingMember } from '../../users/rules/visibility.ts'
import type { ChannelRecord, ListedChannel } from '../contract/index.ts'
import { channelsProjection, presentChannel, type Channel } from './index.ts'
import { firstMessageFor, canSeeChannel, mayRead } from '../rules/index.ts'
import { visibleSubscriberCount } from '../rules/outside-viewers.ts'

export function presentChannelFor(organization: OrganizationState, member: Member, channel: Channel): ChannelRecord {
  const record = presentChannel(organization, channel, visibleSubscriberCount(organization, member, channel.id))
  return showsFirstMessage(organization, member, channel) ? record : withoutFirstMessage(record)
}

export function showsFirstMessage(organization: OrganizationState, member: Member, channel: Channel): boolean {
  return firstMessageFor(organization, member, channel) === channel.firstMessageId
}

export function withoutFirstMessage<Record extends ListedChannel>(record: Record): Record {
  return { ...record, first_message_id: null }
}

export function isFirstMessageHidden({ stream_id, first_message_id: id }: ChannelRecord, viewer: Viewer): boolean {
  const message = { id: id ?? 0, channelId: stream_id, memberIds: null }
  return id !== null && !mayRead(viewer.organization, viewingMember(viewer), message)
}

export function visibleChannels(organization: OrganizationState, member: Member, includeArchived: boolean): Channel[] {
  return [...organization.of(channelsProjection).byId.values()].filter(
    (channel) => (includeArchived || !channel.isArchived) && canSeeChannel(organization, member, channel),
  )
}
