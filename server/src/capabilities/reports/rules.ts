import { ROLE } from '../../kernel/actor.ts'
import type { LoggedEvent } from '../../kernel/event-binding.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import type { Viewer } from '../../kernel/viewer.ts'
import { mayReadMessage } from '../channels/rules/index.ts'
import type { Member } from '../groups/rules.ts'
import { userById } from '../users/queries/index.ts'
import { viewingMember } from '../users/rules/visibility.ts'
import type { MessageReport } from './contract.ts'

type ReportedMessage = Pick<MessageReport, 'message_id' | 'stream_id' | 'sender_id'>

/** Reporters choose to reveal direct messages. Moderators never see reports of their own or their bots' messages. */
export function maySeeReport(
  organization: OrganizationState,
  member: Member,
  { message_id, stream_id, sender_id }: ReportedMessage,
): boolean {
  if (member.role > ROLE.moderator) return false
  if (sender_id === member.userId || userById(organization, sender_id)?.botOwnerId === member.userId) return false
  return (
    stream_id === null ||
    mayReadMessage(organization, member, { id: message_id, channelId: stream_id, readerIds: null })
  )
}

export function isReportEventWanted({ payload }: LoggedEvent<{ report: ReportedMessage }>, viewer: Viewer): boolean {
  return maySeeReport(viewer.organization, viewingMember(viewer), payload.report)
}
