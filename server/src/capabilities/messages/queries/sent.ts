import type { LoggedEvent } from '../../../kernel/event-binding.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import type { Db } from '../../../kernel/transaction.ts'
import type { Viewer } from '../../../kernel/viewer.ts'
import { channelById } from '../../channels/queries/index.ts'
import { readablePart } from '../../channels/rules/index.ts'
import { userById } from '../../users/queries/index.ts'
import { viewingMember } from '../../users/rules/visibility.ts'
import { messagePayload } from '../rules/payload.ts'
import * as contract from '../contract/index.ts'
import {
  messagesById,
  messagesWithinSize,
  presentMessage,
  isRecipient,
  addTopicLinks,
  type LinkedMessage,
} from './index.ts'
import { flagNames } from '../rules/recipients.ts'

export async function attachMessages(
  db: Db,
  organization: OrganizationState,
  events: readonly { refId: number | null; attached?: unknown }[],
  mostBytes?: number,
): Promise<number> {
  const ids = events.map((event) => event.refId).filter((id) => id !== null)
  const { messages: stored, firstLeft } =
    mostBytes === undefined
      ? { messages: [...(await messagesById(db, organization.id, ids)).values()], firstLeft: null }
      : await messagesWithinSize(db, organization.id, ids, mostBytes)
  const linked = await addTopicLinks(organization, stored)
  const byId = new Map(linked.map((message) => [message.id, message]))
  for (const event of events) event.attached = byId.get(event.refId ?? 0)
  return firstLeft === null ? events.length : events.findIndex(({ refId }) => refId === firstLeft)
}

/** Whether a message is in a public channel whose whole history the viewer can read. */
export function isMessagePublic(event: LoggedEvent, { organization, userId }: Viewer): boolean {
  const channelId = attachedMessage(event)?.channelId ?? null
  const channel = channelId === null ? undefined : channelById(organization, channelId)
  const role = userById(organization, userId)?.role
  if (channel === undefined || channel.inviteOnly || role === undefined) return false
  return readablePart(organization, { userId, role }, channel) === 'all'
}

export function messageSentToClient(event: LoggedEvent, viewer: Viewer): Record<string, unknown> | undefined {
  const { organization, form } = viewer
  const stored = attachedMessage(event)
  return stored === undefined
    ? undefined
    : {
        message: Object.assign(
          presentMessage(
            organization,
            stored,
            {
              applyMarkdown: form.applyMarkdown,
              clientExternalAvatar: form.clientExternalAvatar,
              emptyTopicName: form.capabilities.empty_topic_name,
              reader: viewingMember(viewer),
            },
            [],
            submessagesSentWith(event, stored),
          ),
          { topic_links: stored.topicLinks },
        ),
      }
}

export function messageSentPerUserFields(
  event: LoggedEvent,
  viewer: Viewer,
  queueId: string,
): Readonly<Record<string, unknown>> {
  const { queue_id, local_id } = messagePayload(event)
  const flags = flagsInSentMessage(event, viewer)
  const isSenders = queue_id === queueId && attachedMessage(event)?.senderId === viewer.userId
  return isSenders && local_id !== undefined ? { flags, local_message_id: local_id, local_id } : { flags }
}

/** Returns undefined if the message has been deleted. */
export function attachedMessage(event: LoggedEvent): LinkedMessage | undefined {
  // Safe: this value was attached either by the batch that sent the message or by `attachMessages`.
  return event.attached as LinkedMessage | undefined
}

const NO_SUBMESSAGES: readonly contract.Submessage[] = []

function submessagesSentWith(event: LoggedEvent, { id, senderId }: LinkedMessage): readonly contract.Submessage[] {
  const { widget } = messagePayload(event)
  if (widget === undefined) return NO_SUBMESSAGES
  return [{ id, message_id: id, sender_id: senderId, msg_type: contract.WIDGET_MESSAGE_TYPE, content: widget }]
}

/** Longer lists become sets, because each of ten thousand receivers is looked up. */
const MAX_LINEAR_SEARCH_LENGTH = 16

const userIdSets = new WeakMap<readonly number[], ReadonlySet<number>>()

function includesUser(userIds: readonly number[] | undefined, userId: number): boolean {
  if (userIds === undefined) return false
  if (userIds.length <= MAX_LINEAR_SEARCH_LENGTH) return userIds.includes(userId)
  let set = userIdSets.get(userIds)
  if (set === undefined) {
    set = new Set(userIds)
    userIdSets.set(userIds, set)
  }
  return set.has(userId)
}

export function flagsInSentMessage(event: LoggedEvent, { organization, userId }: Viewer): string[] {
  const stored = attachedMessage(event)
  if (stored === undefined) return []
  const payload = messagePayload(event)
  return flagNames(
    {
      isRead: includesUser(payload.read_by, userId),
      mentioned: includesUser(payload.mentioned, userId),
      topicWildcardMentioned: includesUser(payload.topic_mentioned, userId),
      hasAlertWord: includesUser(payload.alerted, userId),
      received: isRecipient(organization, userId, stored),
    },
    stored.mentionsChannel,
  )
}
