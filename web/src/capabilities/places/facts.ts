import type { Message } from '../../kernel/message.ts'
import { bareTopic, isResolved } from '../channels/state.ts'

/** An event concerning a whole topic. */
export interface TopicFact {
  readonly kind: 'resolved' | 'moved'
  /** Undefined if the server does not reveal the person. */
  readonly userId: number | undefined
  readonly timestamp: number
  /** Previous channel and topic. */
  readonly channelId: number
  readonly topic: string
}

const MOST_FACTS = 5

/** Facts about a topic: the time and person of its resolution, and the origin of its messages, newest first. */
export function factsOf(messages: readonly Message[]): readonly TopicFact[] {
  const facts = new Map<string, TopicFact>()
  for (const message of messages) {
    for (const { user_id, timestamp, prev_topic, topic, prev_stream } of message.edit_history ?? []) {
      if (prev_topic === undefined && prev_stream === undefined) continue
      const before = prev_topic ?? topic ?? message.subject
      const isSame = prev_stream === undefined && topic !== undefined && bareTopic(before) === bareTopic(topic)
      // Unresolving cancels an earlier resolve.
      if (isSame && !isResolved(topic)) continue
      const kind = isSame ? 'resolved' : 'moved'
      if (kind === 'resolved' && !isResolved(message.subject)) continue
      const channelId = prev_stream ?? message.stream_id ?? 0
      facts.set(`${kind}:${timestamp}`, { kind, userId: user_id ?? undefined, timestamp, channelId, topic: before })
    }
  }
  return [...facts.values()].toSorted((one, other) => other.timestamp - one.timestamp).slice(0, MOST_FACTS)
}
