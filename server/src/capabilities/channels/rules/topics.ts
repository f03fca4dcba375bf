import type { Actor } from '../../../kernel/actor.ts'
import { truncate, isPrintable } from '../../../kernel/characters.ts'
import { checkedParameter } from '../../../kernel/parameters.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import { EMPTY_TOPIC_DISPLAY_NAME, LIMITS } from '../../organizations/contract/index.ts'
import { userById } from '../../users/queries/index.ts'
import { RESOLVED_PREFIX, topicName } from '../contract/records.ts'

/** Normalizes a new or existing topic. @throws ApiError BAD_REQUEST */
export function normalizeTopic(given: string): string {
  if (!isPrintable(given.trim())) throw new ApiError('BAD_REQUEST', 'Invalid character in topic!')
  return normalizeExistingTopic(given)
}

/** Normalizes an existing topic: clients write the empty topic in several ways. */
export function normalizeExistingTopic(given: string): string {
  const trimmed = given.trim().normalize('NFC')
  return trimmed === '(no topic)' || trimmed === EMPTY_TOPIC_DISPLAY_NAME ? '' : trimmed
}

/** Normalizes a requested topic. @throws ApiError BAD_REQUEST, REQUEST_VARIABLE_MISSING, REQUEST_VARIABLE_INVALID */
export function normalizeRequestedTopic(
  organization: OrganizationState,
  actor: Pick<Actor, 'userId'>,
  given: string | undefined,
): string {
  if (given === undefined) {
    throw new ApiError('REQUEST_VARIABLE_MISSING', "Missing 'topic' argument", { var_name: 'topic' })
  }
  return requireTopicWithinLimit(truncateBotTopic(organization, actor, given), 'topic')
}

/** Rejects long topics: truncated, they could match others. @throws ApiError BAD_REQUEST, REQUEST_VARIABLE_INVALID */
export function requireTopicWithinLimit(given: string, name: string): string {
  return normalizeTopic(checkedParameter(name, topicName, given.trim()))
}

/** Truncates topics of bots, because programs that forward events do not know the limit. */
export function truncateBotTopic(
  organization: OrganizationState,
  { userId }: Pick<Actor, 'userId'>,
  given: string,
): string {
  const isBot = (userById(organization, userId)?.botType ?? null) !== null
  return isBot ? truncateTopic(given) : given.trim()
}

export function truncateTopic(given: string): string {
  const topic = given.trim().normalize('NFC')
  const prefix = topic.startsWith(RESOLVED_PREFIX) ? RESOLVED_PREFIX : ''
  return prefix + truncate(topic.slice(prefix.length), LIMITS.max_topic_length)
}

export function presentTopic(topic: string, emptyTopicName: boolean): string {
  return topic === '' && !emptyTopicName ? EMPTY_TOPIC_DISPLAY_NAME : topic
}
