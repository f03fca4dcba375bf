import { signal } from '@preact/signals'
import type { Conversation } from '../../kernel/route.ts'
import { store } from '../../platform/client.ts'
import { channelById, maxTopicLength } from '../channels/state.ts'
import { coversUser } from '../groups/state.ts'
import { maySendTo } from '../message-edits/rules.ts'
import { ownId, userById } from '../users/state.ts'

/* Mirrors the server's rules, so that the client never sends a message that the server would refuse. */

/** Key of the place in which the user has to wait, because of slow mode. */
export const heldPlace = signal<string>()

export function mayWriteIn(place: Conversation): boolean {
  if (place.view === 'direct') return mayWriteTo(place.userIds)
  const channel = channelById(place.channelId)
  return channel !== undefined && maySendTo(channel) && topicFault(place) === undefined
}

export function initialTopic(channelId: number): '' | undefined {
  return topicFault({ view: 'topic', channelId, topic: 'any' }) === 'forbidden' ? '' : undefined
}

export function topicFault({
  channelId,
  topic,
}: Extract<Conversation, { view: 'topic' }>): 'missing' | 'forbidden' | 'long' | undefined {
  const ofChannel = channelById(channelId)?.topics_policy ?? 'inherit'
  const policy = ofChannel === 'inherit' ? store().read('realm_topics_policy') : ofChannel
  if (topic === '' && policy === 'disable_empty_topic') return 'missing'
  if (topic !== '' && policy === 'empty_topic_only') return 'forbidden'
  return [...topic.normalize('NFC')].length > maxTopicLength(topic) ? 'long' : undefined
}

/** Everyone can write to bots and to themselves. In other conversations, one participant must have the permission. */
export function mayWriteTo(userIds: readonly number[]): boolean {
  const people = userIds.map(userById)
  if (people.some((person) => person?.is_active !== true)) return false
  const others = userIds.filter((id) => id !== ownId())
  if (others.every((id) => userById(id)?.is_bot === true)) return true
  const allowed = store().read('realm_direct_message_permission_group')
  return [ownId(), ...others].some((id) => coversUser(id, allowed))
}
