import { cut, isPrintable } from '../../../kernel/characters.ts'
import { cutTopic } from '../../channels/rules/topics.ts'
import { LIMITS } from '../../organizations/contract/index.ts'
import { escapeMentions } from './harmless.ts'
import type { ServiceMessage } from './requests.ts'
import { oneLine } from './text.ts'

/** Removes lone surrogates, which PostgreSQL rejects, and limits the length. */
export function contentOf(text: string): string {
  const content = text.toWellFormed()
  const shown = cut(content, LIMITS.max_message_length)
  return shown === content ? content : cut(escapeMentions(content), LIMITS.max_message_length)
}

export function topicOf(message: ServiceMessage, displayName: string): string {
  return printable(cutTopic(oneLine(message.topic.toWellFormed()))) || displayName
}

function printable(topic: string): string {
  if (isPrintable(topic)) return topic
  return oneLine(topic.replace(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu, ''))
}
