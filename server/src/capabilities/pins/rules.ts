import { ROLE } from '../../kernel/actor.ts'
import { everyone, type Audience } from '../../kernel/audience.ts'
import { isPrintable } from '../../kernel/characters.ts'
import type { LoggedEvent } from '../../kernel/event-binding.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { Viewer } from '../../kernel/viewer.ts'
import { channelById, type Channel } from '../channels/queries/index.ts'
import {
  CONTENT_PERMISSIONS,
  mayAdministerChannel,
  mayReadMessage,
  maySendToChannel,
  readablePart,
} from '../channels/rules/index.ts'
import { isCovered, systemGroupId, type Member } from '../groups/rules.ts'
import { groupSetting } from '../organizations/queries/index.ts'
import { viewingMember } from '../users/rules/visibility.ts'

/** Channels whose messages the member cannot read get the same error as missing channels. @throws ApiError BAD_REQUEST */
export function requireReadableChannel(organization: OrganizationState, member: Member, channelId: number): Channel {
  const channel = channelById(organization, channelId)
  if (channel === undefined || readablePart(organization, member, channel) === 'none') {
    throw new ApiError('BAD_REQUEST', 'Invalid channel ID')
  }
  return channel
}

/** @throws ApiError BAD_REQUEST if the member cannot change the pins and links of the channel */
export function requirePinnableChannel(organization: OrganizationState, member: Member, channelId: number): Channel {
  const channel = requireReadableChannel(organization, member, channelId)
  if (channel.isArchived) throw new ApiError('BAD_REQUEST', 'The channel is archived.')
  if (!mayPin(organization, member, channel)) {
    throw new ApiError('BAD_REQUEST', "You don't have permission to pin messages in this channel.")
  }
  return channel
}

/** Whether the member, who can read the channel, can change its pins and links. */
export function mayPin(organization: OrganizationState, member: Member, channel: Channel): boolean {
  return (
    mayAdministerChannel(organization, member, channel) ||
    (maySendToChannel(organization, member, channel) &&
      isCovered(organization, member, groupSetting(organization, 'can_pin_messages_group')))
  )
}

/** Includes all readers of the message or, without a message, of the channel. `isWanted` of the events excludes others. */
export function pinAudience(organization: OrganizationState, channel: Channel, messageId?: number): Audience {
  const audience = { channel: channel.id, clients: { capability: 'channel_pins', has: true } } as const
  if (!channel.inviteOnly) return { ...audience, roleAtMost: ROLE.member }
  if (!channel.historyPublic) return messageId === undefined ? audience : { ...audience, alsoAt: messageId }
  const nobody = systemGroupId(organization, 'role:nobody')
  const isOnlyForSubscribers = CONTENT_PERMISSIONS.every((name) => channel.permissions[name] === nobody)
  return isOnlyForSubscribers ? audience : { ...audience, ...everyone }
}

/** Whether the viewer can read the pinned message. */
export function isPinEventWanted(
  { payload }: LoggedEvent<{ stream_id: number } & ({ pin: { message_id: number } } | { message_id: number })>,
  viewer: Viewer,
): boolean {
  const { message_id: id } = 'pin' in payload ? payload.pin : payload
  return mayReadMessage(viewer.organization, viewingMember(viewer), {
    id,
    channelId: payload.stream_id,
    readerIds: null,
  })
}

export function isLinkEventWanted({ payload }: LoggedEvent<{ stream_id: number }>, viewer: Viewer): boolean {
  const channel = channelById(viewer.organization, payload.stream_id)
  return channel !== undefined && readablePart(viewer.organization, viewingMember(viewer), channel) !== 'none'
}

/** URLs within the organization are parsed relative to this arbitrary origin. */
const PLACEHOLDER_ORIGIN = 'https://own.invalid'

/** Whether the URL is safe to open, and leads where it seems to. */
export function isLinkUrl(url: string): boolean {
  // URL parsers remove tabs and line breaks, so `/\t/example.com` would be another site.
  if (/[\s\p{Cc}]/u.test(url) || !isPrintable(url)) return false
  if (!/^(?:https?:\/\/[^/\\]|mailto:.|[/#])/i.test(url) || !URL.canParse(url, PLACEHOLDER_ORIGIN)) return false
  const { origin, username, password } = new URL(url, PLACEHOLDER_ORIGIN)
  // A user name could look like a host, and two slashes or backslashes lead to another site.
  return username === '' && password === '' && (!url.startsWith('/') || origin === PLACEHOLDER_ORIGIN)
}
