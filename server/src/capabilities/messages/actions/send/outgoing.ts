import type { Audience } from '../../../../kernel/audience.ts'
import type { OrganizationState } from '../../../../kernel/projection.ts'
import { doesStartCount, followersAmong } from '../../rules/following.ts'
import { wantedPreviews } from '../../../link-previews/rules.ts'
import { payloadOf, type LeftToDo, type MessagePayload } from '../../rules/payload.ts'
import { recipientsOf, type Recipients } from '../../rules/recipients.ts'
import type { PreparedContent } from '../prepare.ts'
import type { SendKey } from './keys.ts'

/** A message that has been checked and rendered, waiting for its position. */
export interface Outgoing extends PreparedContent {
  readonly channelId: number | null
  readonly topic: string
  readonly conversation: { readonly id: number; readonly topicId: number; readonly memberIds: readonly number[] } | null
  readonly senderId: number
  readonly client: string
  readonly readBySender: boolean
  readonly queueId: string | null
  readonly localId: string | null
  /** By which the send is known again; null where the client named none. */
  readonly key: SendKey | null
  readonly audience: Audience
  /** What is known already to be left to do after it, beside what the statement does. */
  readonly leftToDo?: LeftToDo | undefined
}

/** A message as the statement that sends writes it. */
export interface MessageInsert {
  readonly message: Outgoing
  readonly recipients: Recipients
  readonly payload: MessagePayload
  /** Whether it changes the topic for the sender if the message starts it. */
  readonly startCounts: boolean
}

export function insertOf(organization: OrganizationState, message: Outgoing): MessageInsert {
  const destination = { channelId: message.channelId, memberIds: message.conversation?.memberIds ?? null }
  const recipients = recipientsOf(organization, destination, message.facts, message)
  const startCounts = doesStartCount(organization, message)
  const { previewable } = message
  const toPreview = previewable.length === 0 ? previewable : wantedPreviews(organization, previewable)
  return { message, recipients, payload: payloadOf(recipients, message, toPreview), startCounts }
}

/** A user who shall follow the topic of the message `n` of a batch, which mentions the user. */
export interface MentionedFollower {
  readonly n: number
  readonly userId: number
  readonly message: Outgoing
}

/** The users whose settings say that they follow the topics of the messages, which mention them. */
export function mentionedFollowers(
  organization: OrganizationState,
  inserts: readonly MessageInsert[],
): MentionedFollower[] {
  return inserts.flatMap(({ message, recipients }, index) =>
    followersAmong(organization, message, recipients.mentioned).map((userId) => ({ n: index + 1, userId, message })),
  )
}

/** What became of a message. */
export interface Sent {
  readonly id: number
  /** Whether the message was written now; where it was sent again, this is the first message. */
  readonly fresh: boolean
}

/**
 * What became of a message, or why it was not written. `not begun`: it would be the first in its conversation, which the
 * sender may not begin. `other request`: something else was sent with its key.
 */
export type Outcome = Sent | 'not begun' | 'other request'
