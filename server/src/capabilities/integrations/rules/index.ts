import { truncate, toPrintable } from '../../../kernel/characters.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import { truncateTopic } from '../../channels/rules/topics.ts'
import { LIMITS } from '../../organizations/contract/index.ts'
import { INTEGRATIONS, type ListedIntegration } from '../contract/catalog.ts'
import { escapeMentions } from './harmless.ts'
import type { ServiceMessage } from './requests.ts'
import { toSingleLine } from './text.ts'

export function requireIntegration(wanted: string): ListedIntegration {
  const listed = INTEGRATIONS.find(({ name }) => name === wanted)
  if (listed === undefined) throw new ApiError('NOT_FOUND', 'No such integration')
  return listed
}

export function signaturesUnsupportedError({ displayName }: ListedIntegration): ApiError {
  return new ApiError('BAD_REQUEST', `${displayName} does not sign its requests.`)
}

export function passesEventFilters(
  event: string | undefined,
  only: readonly string[] | undefined,
  except: readonly string[] | undefined,
): boolean {
  if (event === undefined) return true
  if (only !== undefined && !only.some((pattern) => matchesPattern(event, pattern))) return false
  return except?.some((pattern) => matchesPattern(event, pattern)) !== true
}

/** Matches in linear time. */
function matchesPattern(event: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  if (rest.length === 0) return event === pattern
  if (!event.startsWith(first)) return false
  const last = rest.pop() ?? ''
  let at = first.length
  for (const part of rest) {
    const found = event.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return event.length - last.length >= at && event.endsWith(last)
}

/** Removes lone surrogates, which PostgreSQL rejects, and limits the length. */
export function toMessageContent(text: string): string {
  const content = text.toWellFormed()
  const shown = truncate(content, LIMITS.max_message_length)
  // A truncated code span would expose the mentions in it.
  return shown === content ? content : truncate(escapeMentions(content), LIMITS.max_message_length)
}

export function topicOf(message: ServiceMessage, displayName: string): string {
  return toSingleLine(toPrintable(truncateTopic(toSingleLine(message.topic.toWellFormed())))) || displayName
}
