import { caseKey } from '@parley/server/kernel/case-key'
import type { Output } from '@parley/server/kernel/endpoint'
import type { history, messageEdits } from '@parley/server/contract'
import { withoutMe } from '@parley/server/markdown/me-message'
import type { Conversation, Place } from './route.ts'

export type FoundMessage = Output<typeof history.getMessages>['messages'][number]

/** Message without highlights, which belong to a single search. */
export type Message = Omit<FoundMessage, 'match_content' | 'match_subject' | 'match_files'>

/** Returns the other participants of a direct message, or the current user if there are none. */
export function otherParticipants(message: Pick<Message, 'display_recipient'>, ownId: number): number[] {
  if (typeof message.display_recipient === 'string') return []
  const others = message.display_recipient.map(({ id }) => id).filter((id) => id !== ownId)
  return others.length === 0 ? [ownId] : others.toSorted((a, b) => a - b)
}

export function conversationOfMessage(message: Message, ownId: number): Conversation {
  return message.stream_id === undefined
    ? { view: 'direct', userIds: otherParticipants(message, ownId) }
    : { view: 'topic', channelId: message.stream_id, topic: message.subject }
}

type Topic = Extract<Place, { view: 'topic' }>

interface Move {
  readonly from: Topic
  readonly to: Topic
  /** Whether the whole topic was renamed or moved. */
  readonly isWhole: boolean
}

/** Returns undefined if the event moved nothing, or moved messages from a place that the user cannot see. */
export function parseMove({
  propagate_mode: mode,
  stream_id: channelId,
  orig_subject: topic,
  new_stream_id: toId = channelId,
  subject = topic,
}: messageEdits.MessageUpdate): Move | undefined {
  if (channelId === undefined || toId === undefined || topic === undefined || subject === undefined) return undefined
  const [from, to] = [
    { view: 'topic' as const, channelId, topic },
    { view: 'topic' as const, channelId: toId, topic: subject },
  ]
  return { from, to, isWhole: mode === 'change_all' }
}

/** Returns the message's HTML without the leading `/me`. */
export function contentOf({ content, is_me_message: isMe }: Pick<Message, 'content' | 'is_me_message'>): string {
  return isMe ? withoutMe(content) : content
}

const MENTION_FLAGS = ['mentioned', 'stream_wildcard_mentioned', 'topic_wildcard_mentioned']

export function isMention({ flags }: Pick<Message, 'flags'>): boolean {
  return flags.some((flag) => MENTION_FLAGS.includes(flag))
}

/** Whether the place shows the message; undefined if the message alone does not determine this. */
export function isMessageIn(place: Place, message: Message, ownId: number): boolean | undefined {
  switch (place.view) {
    case 'topic':
      return message.stream_id === place.channelId && caseKey(message.subject) === caseKey(place.topic)
    case 'direct':
      return (
        message.stream_id === undefined && otherParticipants(message, ownId).join() === sortIds(place.userIds).join()
      )
    case 'channel-feed':
      return message.stream_id === place.channelId
    case 'mentions':
      return isMention(message)
    case 'starred':
      return message.flags.includes('starred')
    case 'reactions':
      return message.sender_id === ownId && message.reactions.length > 0
    case 'feed':
    case 'search':
      return undefined
  }
}

function sortIds(ids: readonly number[]): number[] {
  return ids.toSorted((a, b) => a - b)
}

export interface Term {
  readonly operator: string
  readonly operand: string | number | number[]
  readonly negated?: boolean
}

/** Empty for searches and reactions, whose conditions the place does not contain. */
export function narrowOf(place: Place): Term[] {
  switch (place.view) {
    case 'topic':
      return [
        { operator: 'channel', operand: place.channelId },
        { operator: 'topic', operand: place.topic },
      ]
    case 'direct':
      return [{ operator: 'dm', operand: [...place.userIds] }]
    case 'channel-feed':
      return [{ operator: 'channel', operand: place.channelId }]
    case 'feed':
      return [{ operator: 'in', operand: 'home' }]
    case 'mentions':
      return [{ operator: 'is', operand: 'mentioned' }]
    case 'starred':
      return [{ operator: 'is', operand: 'starred' }]
    case 'reactions':
    case 'search':
      return []
  }
}
