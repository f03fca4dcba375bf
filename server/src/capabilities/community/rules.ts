import { ROLE } from '../../kernel/actor.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import type { LoggedEvent } from '../../kernel/event-binding.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { Viewer } from '../../kernel/viewer.ts'
import { channelById, type Channel } from '../channels/queries/index.ts'
import { canSeeChannel, mayAdministerChannel, readablePart } from '../channels/rules/index.ts'
import type { Member } from '../groups/rules.ts'
import { viewingMember } from '../users/rules/visibility.ts'

/** Hidden channels get the same error as missing channels. @throws ApiError BAD_REQUEST */
export function requireVisibleChannel(organization: OrganizationState, member: Member, channelId: number): Channel {
  const channel = channelById(organization, channelId)
  if (channel === undefined || !canSeeChannel(organization, member, channel)) {
    throw new ApiError('BAD_REQUEST', 'Invalid channel ID')
  }
  return channel
}

/** @throws ApiError BAD_REQUEST if the member cannot set the channel's slow mode */
export function requireSlowableChannel(organization: OrganizationState, member: Member, channelId: number): Channel {
  const channel = requireVisibleChannel(organization, member, channelId)
  if (!isExemptFromSlowMode(organization, member, channel)) {
    throw new ApiError('BAD_REQUEST', "You don't have permission to set this channel's slow mode.")
  }
  if (channel.isArchived) throw new ApiError('BAD_REQUEST', 'The channel is archived.')
  return channel
}

/** Those who can set the slow mode of a channel need not wait. */
export function isExemptFromSlowMode(organization: OrganizationState, member: Member, channel: Channel): boolean {
  return member.role <= ROLE.moderator || mayAdministerChannel(organization, member, channel)
}

/** In protected history, names of topics could reveal hidden messages. */
export function seesSlowTopics(organization: OrganizationState, member: Member, channel: Channel): boolean {
  return readablePart(organization, member, channel) === 'all'
}

export function isSlowModeEventWanted(
  { payload: { stream_id: channelId, topic } }: LoggedEvent<{ stream_id: number; topic: string | null }>,
  viewer: Viewer,
): boolean {
  const channel = channelById(viewer.organization, channelId)
  if (channel === undefined) return false
  const member = viewingMember(viewer)
  return topic === null
    ? canSeeChannel(viewer.organization, member, channel)
    : seesSlowTopics(viewer.organization, member, channel)
}

/** Carries the seconds to wait, and where. */
export function slowModeError(waitSeconds: number, channelId: number | null): ApiError {
  return new ApiError(
    'SLOW_MODE',
    `Slow mode is on: you can send your next message in ${Math.max(waitSeconds, 1)} seconds.`,
    { wait_seconds: Math.max(waitSeconds, 1), stream_id: channelId },
  )
}
