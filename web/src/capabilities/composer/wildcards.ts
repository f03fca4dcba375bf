import { messages as declared } from '@parley/server/contract'
import type { Conversation } from '../../kernel/route.ts'
import { messages, store } from '../../platform/client.ts'
import { channelById } from '../channels/state.ts'
import { holderNames } from '../groups/holders.ts'
import { coversCurrentUser } from '../groups/state.ts'
import { authorsOf } from '../places/topic.ts'

export interface Wildcard {
  readonly name: string
  readonly reach: 'conversation' | 'channel' | 'topic'
  /** For a topic, the number of authors of its loaded messages. */
  readonly people: number
  readonly isAllowed: boolean
}

export function wildcardsIn(where: Conversation | undefined): readonly Wildcard[] {
  if (where === undefined) return []
  if (where.view === 'direct') {
    const people = where.userIds.length + 1
    return ['all', 'everyone'].map((name) => ({ name, reach: 'conversation', people, isAllowed: true }))
  }
  const inChannel = channelById(where.channelId)?.subscriber_count ?? 0
  const inTopic = authorsOf(messages.shownIn(where)).length
  return [
    ...['all', 'channel', 'everyone'].map((name): Wildcard => ({
      name,
      reach: 'channel',
      people: inChannel,
      isAllowed: mayMentionMany(inChannel),
    })),
    { name: 'topic', reach: 'topic', people: inTopic, isAllowed: mayMentionMany(inTopic) },
  ]
}

function mayMentionMany(people: number): boolean {
  if (people <= declared.WILDCARD_MENTION_THRESHOLD) return true
  return coversCurrentUser(store().read('realm_can_mention_many_users_group'))
}

export function massMentionHolders(): readonly string[] {
  return holderNames(store().read('realm_can_mention_many_users_group'))
}
