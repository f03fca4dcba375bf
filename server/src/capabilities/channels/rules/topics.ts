import { Refusal } from '../../../kernel/refusal.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../organizations/contract/index.ts'

/** What the name of a topic begins with whose question is settled. */
export const RESOLVED_PREFIX = '✔ '

/** The topic that a text means: clients write the empty one in several ways. */
export function canonicalTopic(given: string): string {
  const trimmed = given.trim()
  if (/\p{Cc}/u.test(trimmed)) throw new Refusal('BAD_REQUEST', 'Invalid character in topic!')
  return trimmed === '(no topic)' || trimmed === EMPTY_TOPIC_DISPLAY_NAME ? '' : trimmed
}

/** A topic as a client shows it. */
export function presentTopic(topic: string, emptyTopicName: boolean): string {
  return topic === '' && !emptyTopicName ? EMPTY_TOPIC_DISPLAY_NAME : topic
}
