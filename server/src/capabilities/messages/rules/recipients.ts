import type { OrganizationState } from '../../../kernel/projection.ts'
import { botForCommandIn } from '../../bot-commands/queries.ts'
import { channelById, subscribersOf, wasSubscribed } from '../../channels/queries/index.ts'
import { readablePart } from '../../channels/rules/index.ts'
import { isCovered } from '../../groups/rules.ts'
import { usersBlocking, usersMuting } from '../../muted-users/queries.ts'
import { userById, type UserRow } from '../../users/queries/index.ts'

export interface ContentFacts {
  /** Excludes silent mentions. */
  readonly mentionedUserIds: readonly number[]
  readonly mentionedGroupIds: readonly number[]
  readonly mentionsChannel: boolean
  /** Topic participants, including the sender, if the text contains `@**topic**`; otherwise empty. */
  readonly topicParticipantIds: readonly number[]
  readonly alertedUserIds: readonly number[]
  /** Whether the text links out of the organization. */
  readonly linksOutside: boolean
}

export interface Recipients {
  readonly readBy: readonly number[]
  readonly mentioned: readonly number[]
  readonly topicMentioned: readonly number[]
  readonly alerted: readonly number[]
}

interface Origin {
  readonly senderId: number
  readonly readBySender: boolean
  /** User whose action caused the message, and for whom it is not news. */
  readonly causedBy?: number
}

export interface Destination {
  /** Message ID if the message was already sent: an edit reaches only its original receivers. */
  readonly id?: number
  readonly channelId: number | null
  readonly memberIds: readonly number[] | null
}

/**
 * Selects receivers, and other readers if they are mentioned. Messages from muted senders start as read. Blocked senders
 * cannot mention those who block them.
 */
export function recipientsOf(
  organization: OrganizationState,
  destination: Destination,
  facts: ContentFacts,
  { senderId, readBySender, causedBy }: Origin,
): Recipients {
  const receives = createReceiverTest(organization, destination)
  const blockers = usersBlocking(organization, senderId)
  const muters = [...new Set([...usersMuting(organization, senderId), ...blockers.keys()])].filter(receives)
  const isReached = (userId: number): boolean => !blockers.has(userId)
  return {
    readBy: [
      ...new Set([...(readBySender ? [senderId] : []), ...(causedBy === undefined ? [] : [causedBy]), ...muters]),
    ],
    mentioned: mentionedUsers(organization, destination, facts, receives).filter(isReached),
    topicMentioned: facts.topicParticipantIds.filter(receives).filter(isReached),
    alerted: facts.alertedUserIds.filter(receives).filter(isReached),
  }
}

function createReceiverTest(
  organization: OrganizationState,
  { id, channelId, memberIds }: Destination,
): (userId: number) => boolean {
  if (channelId === null) return (userId) => memberIds?.includes(userId) ?? false
  const subscribers = subscribersOf(organization, channelId)
  return (userId) => subscribers.has(userId) && (id === undefined || wasSubscribed(organization, userId, channelId, id))
}

function isReachedByMention(
  organization: OrganizationState,
  channelId: number | null,
  user: UserRow | undefined,
  receives: (userId: number) => boolean,
): boolean {
  if (user?.isActive !== true) return false
  if (receives(user.id)) return true
  const channel = channelId === null ? undefined : channelById(organization, channelId)
  return channel !== undefined && readablePart(organization, { userId: user.id, role: user.role }, channel) === 'all'
}

/** Returns the bot whose command a channel message starts with, if a mention would reach the bot. */
export function commandBotReachedBy(
  organization: OrganizationState,
  destination: Destination,
  content: string,
): number | undefined {
  const { channelId } = destination
  const bot = channelId === null ? undefined : botForCommandIn(organization, content)
  if (bot === undefined) return undefined
  return isReachedByMention(organization, channelId, bot, createReceiverTest(organization, destination))
    ? bot.id
    : undefined
}

function mentionedUsers(
  organization: OrganizationState,
  { channelId, memberIds }: Destination,
  { mentionedUserIds, mentionedGroupIds }: ContentFacts,
  receives: (userId: number) => boolean,
): number[] {
  const mentioned = new Set(
    mentionedUserIds.filter((userId) =>
      isReachedByMention(organization, channelId, userById(organization, userId), receives),
    ),
  )
  if (mentionedGroupIds.length > 0) {
    const groups = { direct_members: [], direct_subgroups: [...mentionedGroupIds] }
    const receivers = channelId === null ? (memberIds ?? []) : subscribersOf(organization, channelId)
    for (const userId of receivers) {
      const user = userById(organization, userId)
      if (user !== undefined && receives(userId) && isCovered(organization, { userId, role: user.role }, groups))
        mentioned.add(userId)
    }
  }
  return [...mentioned]
}

export interface PersonalFacts {
  readonly isRead: boolean
  readonly starred?: boolean | null | undefined
  readonly collapsed?: boolean | null | undefined
  readonly mentioned: boolean | null
  readonly topicWildcardMentioned: boolean | null
  readonly hasAlertWord: boolean | null
  /** Whether the message was sent to the user. For other readers, it counts as read. */
  readonly received: boolean
}

export function flagNames(facts: PersonalFacts, mentionsChannel: boolean): string[] {
  const flags: string[] = []
  const channelMentioned = mentionsChannel && facts.received
  if (facts.isRead || !facts.received) flags.push('read')
  if (facts.starred === true) flags.push('starred')
  if (facts.collapsed === true) flags.push('collapsed')
  if (facts.mentioned === true) flags.push('mentioned')
  if (channelMentioned) flags.push('stream_wildcard_mentioned')
  if (facts.topicWildcardMentioned === true) flags.push('topic_wildcard_mentioned')
  if (channelMentioned || facts.topicWildcardMentioned === true) flags.push('wildcard_mentioned')
  if (facts.hasAlertWord === true) flags.push('has_alert_word')
  if (!facts.received) flags.push('historical')
  return flags
}
