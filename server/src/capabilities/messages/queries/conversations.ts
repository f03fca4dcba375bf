import { presentTopic } from '../../channels/rules/topics.ts'
import type { Conversation, MessagesInConversation } from '../contract/index.ts'
import type { StoredMessage } from './stored.ts'

/** Where a message is, as clients with ranges of unread messages are told. */
export function conversationOf({
  channelId,
  topic,
  memberIds,
}: Pick<StoredMessage, 'channelId' | 'topic' | 'memberIds'>): Conversation {
  return channelId === null ? { user_ids: [...(memberIds ?? [])] } : { stream_id: channelId, topic }
}

/** Messages by conversation. A topic is named as the first of its messages spells it. */
export function byConversation(messages: readonly StoredMessage[]): MessagesInConversation[] {
  const byTopic = new Map<number, MessagesInConversation>()
  for (const message of messages) {
    const known = byTopic.get(message.topicId)
    if (known === undefined) byTopic.set(message.topicId, { ...conversationOf(message), message_ids: [message.id] })
    else known.message_ids.push(message.id)
  }
  return [...byTopic.values()]
}

/** The empty topic has another name for clients that do not know it. */
export function presentConversation<Place extends Conversation>(place: Place, emptyTopicName: boolean): Place {
  return 'topic' in place ? { ...place, topic: presentTopic(place.topic, emptyTopicName) } : place
}
