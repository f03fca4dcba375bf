import type { Message } from '../../kernel/message.ts'
import { bareTopic, isResolved } from '../channels/state.ts'

/** Something that happened to a topic as a whole. */
export interface TopicFact {
  readonly kind: 'resolved' | 'moved'
  /** Undefined where the server does not say who did it. */
  readonly userId: number | undefined
  readonly timestamp: number
  /** Where it was before. */
  readonly channelId: number
  readonly topic: string
}

const MOST_FACTS = 5

/** When a topic was resolved, by whom, and from where its messages came, as these messages tell; the newest first. */
export function factsOf(messages: readonly Message[]): readonly TopicFact[] {
  const facts = new Map<string, TopicFact>()
  for (const message of messages) {
    for (const { user_id, timestamp, prev_topic, topic, prev_stream } of message.edit_history ?? []) {
      if (prev_topic === undefined && prev_stream === undefined) continue
      const before = prev_topic ?? topic ?? message.subject
      const isSame = prev_stream === undefined && topic !== undefined && bareTopic(before) === bareTopic(topic)
      // Who takes the mark away again makes it as if it had not been.
      if (isSame && !isResolved(topic)) continue
      const kind = isSame ? 'resolved' : 'moved'
      if (kind === 'resolved' && !isResolved(message.subject)) continue
      const channelId = prev_stream ?? message.stream_id ?? 0
      facts.set(`${kind}:${timestamp}`, { kind, userId: user_id ?? undefined, timestamp, channelId, topic: before })
    }
  }
  return [...facts.values()].toSorted((one, other) => other.timestamp - one.timestamp).slice(0, MOST_FACTS)
}
