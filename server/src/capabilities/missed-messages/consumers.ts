import { eventName } from '../../kernel/event.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import type { Tx } from '../../kernel/transaction.ts'
import type { ConsumedEvent, Consumer } from '../../platform/consumers/consumer.ts'
import { caseKey } from '../../kernel/case-key.ts'
import { subscribersOf } from '../channels/queries/index.ts'
import { messageUpdated } from '../message-edits/contract.ts'
import type { LoggedUpdate } from '../message-edits/queries/events.ts'
import { messageSent } from '../messages/contract/index.ts'
import { messagesById, type StoredMessage } from '../messages/queries/index.ts'
import { attachedMessage } from '../messages/queries/sent.ts'
import { messagePayload } from '../messages/rules/payload.ts'
import { followersOfTopics } from '../user-topics/queries.ts'
import { userById, userSetting } from '../users/queries/index.ts'
import { recordLateMentions, recordMissedMessages, type PendingCheck } from './actions/index.ts'
import { isPerson, possibleRecipients, activeSubscription, wantsAllMessagesByEmail } from './rules.ts'

/**
 * Handles events in batches: nearly every message may need an email, and no one waits for the email. Handles messages
 * and late mentions in log order, so that each record covers all messages up to its newest ID.
 */
export const scheduleMissedMessageChecks: Consumer = {
  name: 'noteMissedMessages',
  events: [messageSent, messageUpdated],
  gatherSeconds: 2,
  isForMail: true,
  isNeeded: (_, { type, payload }) =>
    type !== eventName(messageUpdated) || 'newly_mentioned' in payload || 'newly_mentions_all' in payload,
  async run(tx, events) {
    const sent = events.filter(({ type }) => type === eventName(messageSent))
    const messages = await messagesOfEvents(tx, sent)
    const followers = await followersOfTopics(tx.db, tx.organizationId, channelTopicsOf(messages))
    const pending = new Map<number, PendingCheck>()
    const wantingAll = cacheByChannel((channelId) => usersWantingAllMessages(tx.organization, channelId))
    for (const event of events) {
      const message = messages.get(event)
      if (message === undefined) {
        if (event.type === eventName(messageUpdated)) await addLateMentions(tx, pending, event)
        continue
      }
      const { channelId, senderId } = message
      const found = possibleRecipients(tx.organization, {
        senderId,
        addressed: addressedUsers(tx.organization, event, message),
        followers: channelId === null ? [] : (followers.get(topicKey(channelId, message.topic)) ?? []),
        wantingAll: channelId === null ? [] : wantingAll(channelId),
      })
      for (const userId of found) addPendingCheck(pending, tx.organization, userId, message)
    }
    await recordMissedMessages(tx, pending)
  },
}

async function addLateMentions(
  tx: Tx,
  pending: Map<number, PendingCheck>,
  { position, payload }: ConsumedEvent,
): Promise<void> {
  // Safe: only `emitMessageUpdate` writes this event.
  const { message_id: messageId, newly_mentioned = [], newly_mentions_all: all } = payload as LoggedUpdate
  const message = (await messagesById(tx.db, tx.organizationId, [messageId])).get(messageId)
  if (message === undefined) return
  const { senderId, channelId } = message
  const everybody = all === undefined || channelId === null ? [] : [...subscribersOf(tx.organization, channelId)]
  const others = everybody.filter((userId) => all?.before.includes(userId) !== true)
  const addressed = new Set([...newly_mentioned, ...others])
  const found = [...possibleRecipients(tx.organization, { senderId, addressed, followers: [], wantingAll: [] })]
  await recordLateMentions(tx, found, { messageId, position })
  // Starts at the edit's position, because earlier messages were already checked or recorded.
  for (const userId of found) addPendingCheck(pending, tx.organization, userId, { id: position, dateSent: tx.now })
}

async function messagesOfEvents(tx: Tx, events: readonly ConsumedEvent[]): Promise<Map<ConsumedEvent, StoredMessage>> {
  const unknown = events.filter((event) => attachedMessage(event) === undefined).map(({ position }) => position)
  const read = unknown.length === 0 ? undefined : await messagesById(tx.db, tx.organizationId, unknown)
  const messages = new Map<ConsumedEvent, StoredMessage>()
  for (const event of events) {
    const message = attachedMessage(event) ?? read?.get(event.position)
    if (message !== undefined) messages.set(event, message)
  }
  return messages
}

function addressedUsers(
  organization: OrganizationState,
  event: ConsumedEvent,
  { channelId, readerIds, mentionsChannel }: StoredMessage,
): Iterable<number> {
  if (channelId === null) return readerIds ?? []
  if (mentionsChannel) return subscribersOf(organization, channelId)
  const { mentioned = [], topic_mentioned = [] } = messagePayload(event)
  return [...mentioned, ...topic_mentioned]
}

function usersWantingAllMessages(organization: OrganizationState, channelId: number): number[] {
  return [...subscribersOf(organization, channelId)].filter((userId) => {
    const [user, subscription] = [userById(organization, userId), activeSubscription(organization, userId, channelId)]
    return isPerson(user) && subscription !== undefined && wantsAllMessagesByEmail(user, subscription)
  })
}

function addPendingCheck(
  pending: Map<number, PendingCheck>,
  organization: OrganizationState,
  userId: number,
  { id, dateSent }: Pick<StoredMessage, 'id' | 'dateSent'>,
): void {
  const before = pending.get(userId)
  if (before !== undefined) {
    before.newestId = Math.max(before.newestId, id)
    return
  }
  const user = userById(organization, userId)
  if (user === undefined) return
  const dueAt = dateSent + userSetting(user, 'email_notifications_batching_period_seconds')
  pending.set(userId, { firstId: id, newestId: id, dueAt })
}

function channelTopicsOf(
  messages: ReadonlyMap<ConsumedEvent, StoredMessage>,
): { channelId: number; topicKey: string }[] {
  const topics = new Map<string, { channelId: number; topicKey: string }>()
  for (const { channelId, topic } of messages.values()) {
    if (channelId !== null) topics.set(topicKey(channelId, topic), { channelId, topicKey: caseKey(topic) })
  }
  return [...topics.values()]
}

function topicKey(channelId: number, topic: string): string {
  return `${channelId} ${caseKey(topic)}`
}

function cacheByChannel<Value>(make: (channelId: number) => Value): (channelId: number) => Value {
  const known = new Map<number, Value>()
  return (channelId) => {
    const value = known.get(channelId) ?? make(channelId)
    known.set(channelId, value)
    return value
  }
}
