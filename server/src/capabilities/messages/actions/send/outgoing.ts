import type { Audience } from '../../../../kernel/audience.ts'
import type { OrganizationState } from '../../../../kernel/projection.ts'
import { doesStartCount, followersAmong } from '../../rules/following.ts'
import { wantedPreviews } from '../../../link-previews/rules.ts'
import { payloadOf, type LeftToDo, type MessagePayload } from '../../rules/payload.ts'
import { recipientsOf, type Recipients } from '../../rules/recipients.ts'
import type { PreparedContent } from '../prepare.ts'
import type { SendKey } from './keys.ts'

export interface OutgoingMessage extends PreparedContent {
  readonly channelId: number | null
  readonly topic: string
  readonly conversation: { readonly id: number; readonly topicId: number; readonly memberIds: readonly number[] } | null
  readonly senderId: number
  readonly client: string
  readonly readBySender: boolean
  readonly queueId: string | null
  readonly localId: string | null
  readonly key: SendKey | null
  readonly audience: Audience
  readonly leftToDo?: LeftToDo | undefined
}

export interface MessageInsert {
  readonly message: OutgoingMessage
  readonly recipients: Recipients
  readonly payload: MessagePayload
  /** Whether starting the topic makes the sender follow or unmute it. */
  readonly startCounts: boolean
}

export function insertOf(organization: OrganizationState, message: OutgoingMessage): MessageInsert {
  const destination = { channelId: message.channelId, memberIds: message.conversation?.memberIds ?? null }
  const recipients = recipientsOf(organization, destination, message.facts, message)
  const startCounts = doesStartCount(organization, message)
  const { previewable } = message
  const toPreview = previewable.length === 0 ? previewable : wantedPreviews(organization, previewable)
  return { message, recipients, payload: payloadOf(recipients, message, toPreview), startCounts }
}

export interface MentionedFollower {
  readonly n: number
  readonly userId: number
  readonly message: OutgoingMessage
}

export function mentionedFollowers(
  organization: OrganizationState,
  inserts: readonly MessageInsert[],
): MentionedFollower[] {
  return inserts.flatMap(({ message, recipients }, index) =>
    followersAmong(organization, message, recipients.mentioned).map((userId) => ({ n: index + 1, userId, message })),
  )
}

export interface SendResult {
  readonly id: number
  /** Whether the message is new; false for a retry, whose ID is that of the first message. */
  readonly fresh: boolean
}

/** `not begun`: the sender cannot start the conversation. `other request`: the key was used for another message. */
export type Outcome = SendResult | 'not begun' | 'other request'
