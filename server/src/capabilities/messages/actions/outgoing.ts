import type { Audience } from '../../../kernel/audience.ts'
import type { LinkedMessage } from '../queries/index.ts'
import type { PreparedContent } from './prepare.ts'

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
  readonly audience: Audience
}

// Field by field, as in `send`.
export function storedOf(
  item: Outgoing,
  row: { readonly id: number; readonly topicId: number; readonly topic: string },
  now: number,
  topicLinks: LinkedMessage['topicLinks'],
): LinkedMessage {
  return {
    topicLinks,
    id: row.id,
    channelId: item.channelId,
    topicId: row.topicId,
    topic: row.topic,
    conversationId: item.conversation?.id ?? null,
    memberIds: item.conversation?.memberIds ?? null,
    senderId: item.senderId,
    content: item.content,
    renderedContent: item.renderedContent,
    mentionsChannel: item.facts.mentionsChannel,
    dateSent: now,
    client: item.client,
  }
}
