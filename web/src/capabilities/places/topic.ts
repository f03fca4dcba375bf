import { narrowOf, type Message, type Term } from '../../kernel/message.ts'
import { onlyChangesResolution, isResolvedTopic } from '../../kernel/topic.ts'
import { readPage } from '../../platform/messages/reading.ts'
import type { IncrementalQuery, ReadablePlace } from './live-answer.ts'

/** Authors of a conversation's messages that have been loaded so far. */
export interface Participants {
  readonly isWhole: boolean
  /** Most recent author first. */
  readonly userIds: readonly number[]
  /** Newest and oldest messages loaded so far, which show whether the topic was moved or resolved. */
  readonly ends: readonly Message[]
}

/** A narrow allows 50 terms, two of which identify the conversation. */
const MAX_EXCLUDED_AUTHORS = 48
const MAX_REQUESTED_PAGES = 40

export const PARTICIPANTS_QUERY: IncrementalQuery<Participants> = {
  begin: readParticipants,
  goOn: (place) => readParticipants(place),
  add: (known, message) => ({
    ...known,
    userIds: [message.sender_id, ...known.userIds.filter((id) => id !== message.sender_id)],
  }),
  size: ({ userIds }) => userIds.length,
}

/** Reads from the newest message back. Later requests exclude known authors, so that few requests find all authors. */
async function readParticipants(place: ReadablePlace): Promise<Participants> {
  const narrow = narrowOf(place)
  let page = await readPage(narrow, 'older', 'newest')
  const isShort = page.found_oldest
  const ends = isShort ? page.messages : [...(await readPage(narrow, 'newer', 0)).messages, ...page.messages]
  const met = new Map<number, number>()
  for (let pages = 1; ; pages++) {
    for (const { sender_id: id } of page.messages.toReversed()) met.set(id, (met.get(id) ?? 0) + 1)
    const [oldest] = page.messages
    if (page.found_oldest || oldest === undefined || pages === MAX_REQUESTED_PAGES) break
    page = await readPage([...narrow, ...termsExcluding(met)], 'older', oldest.id)
  }
  return { isWhole: page.found_oldest, userIds: [...met.keys()], ends }
}

function termsExcluding(met: ReadonlyMap<number, number>): Term[] {
  return [...met]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, MAX_EXCLUDED_AUTHORS)
    .map(([operand]) => ({ operator: 'sender', operand, negated: true }))
}

export function authorsOf(messages: readonly Message[]): readonly number[] {
  return [...new Set(messages.toReversed().map(({ sender_id }) => sender_id))]
}

export interface TopicChange {
  readonly kind: 'resolved' | 'moved'
  /** Undefined if the server does not reveal the person. */
  readonly userId: number | undefined
  readonly timestamp: number
  /** Location before the move. */
  readonly channelId: number
  readonly topic: string
}

const MAX_TOPIC_CHANGES = 5

/** Returns when and by whom the topic was resolved, and where its messages were moved from, newest first. */
export function topicChangesIn(messages: readonly Message[]): readonly TopicChange[] {
  const facts = new Map<string, TopicChange>()
  for (const message of messages) {
    for (const { user_id, timestamp, prev_topic, topic, prev_stream } of message.edit_history ?? []) {
      if (prev_topic === undefined && prev_stream === undefined) continue
      const before = prev_topic ?? topic ?? message.subject
      const kind = prev_stream === undefined && onlyChangesResolution(before, topic) ? 'resolved' : 'moved'
      // Unresolving cancels an earlier resolve.
      if (kind === 'resolved' && !isResolvedTopic(topic ?? '')) continue
      if (kind === 'resolved' && !isResolvedTopic(message.subject)) continue
      const channelId = prev_stream ?? message.stream_id ?? 0
      facts.set(`${kind}:${timestamp}`, { kind, userId: user_id ?? undefined, timestamp, channelId, topic: before })
    }
  }
  return [...facts.values()].toSorted((one, other) => other.timestamp - one.timestamp).slice(0, MAX_TOPIC_CHANGES)
}
