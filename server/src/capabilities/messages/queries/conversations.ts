import { presentTopic } from '../../channels/rules/topics.ts'
import type { Conversation, MessagesInConversation } from '../contract/index.ts'
import type { StoredMessage } from './stored.ts'

export function conversationOf({
  channelId,
  topic,
  memberIds,
}: Pick<StoredMessage, 'channelId' | 'topic' | 'memberIds'>): Conversation {
  return channelId === null ? { user_ids: [...(memberIds ?? [])] } : { stream_id: channelId, topic }
}

export function groupByConversation(messages: readonly StoredMessage[]): MessagesInConversation[] {
  const byTopic = new Map<number, MessagesInConversation>()
  for (const message of messages) {
    const known = byTopic.get(message.topicId)
    if (known === undefined) byTopic.set(message.topicId, { ...conversationOf(message), message_ids: [message.id] })
    else known.message_ids.push(message.id)
  }
  return [...byTopic.values()]
}

export function presentConversation<Place extends Conversation>(place: Place, emptyTopicName: boolean): Place {
  return 'topic' in place ? { ...place, topic: presentTopic(place.topic, emptyTopicName) } : place
}
