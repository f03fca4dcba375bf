import { isKeyOf } from '@parley/server/kernel/keys'
import type { IconName } from '../../kernel/icons.ts'
import { tl } from '../../kernel/later-texts.ts'
import type { Condition, Operator } from '../../kernel/query.ts'
import { rankItems } from '../../kernel/ranking.ts'
import { messages, store } from '../../platform/client.ts'
import { allChannels, channelById, channelIcon, channelNamed, subscriptionTo } from '../channels/state.ts'
import { topicsOf } from '../channels/topics.ts'
import { topicTitle } from '../places/title.tsx'
import { familiarPeople } from '../users/familiar.ts'
import { ownId, uniqueNameOrEmail } from '../users/state.ts'
import { findItems, findSimilarItems } from './near-misses.ts'
import {
  formatPeriodDates,
  namedPeriods,
  periodTitle,
  normalizePhrase,
  parsePeriod,
  suggestedPeriods,
  formatPeriod,
} from './periods.ts'
import { splitPlace, VALUES_BY_OPERATOR } from './search-query.ts'

export interface ValueSuggestion {
  readonly operand: string
  /** Label to show instead of the operand. */
  readonly title?: string
  readonly detail?: string | undefined
  readonly icon?: IconName
  readonly userId?: number
}

/** @param conditions those that the search already has: topics are suggested in their channel */
export function suggestValues(
  operator: Operator,
  typed: string,
  conditions: readonly Condition[],
): readonly ValueSuggestion[] {
  switch (operator) {
    case 'from':
    case 'sender':
      return suggestPeople(typed.replace(/^@/, ''))
    case 'dm':
    case 'dm-including':
      return completeLastName(typed, (name) => suggestOtherPeople(name))
    case 'channel':
      return suggestChannels(typed)
    case 'in':
      return suggestPlaces(typed)
    case 'topic':
      return suggestTopics(typed, conditions)
    case 'before':
    case 'after':
    case 'on':
    case 'date':
      return suggestDates(operator, typed)
    case 'near':
    case 'id':
      return []
    default:
      return suggestWords(operator, typed)
  }
}

export function suggestWords(operator: Operator, typed: string): readonly ValueSuggestion[] {
  const all = VALUES_BY_OPERATOR[operator] ?? []
  const query = typed.toLowerCase()
  const found = all.filter((word) => word.startsWith(query) && (query !== '' || word !== 'attachment'))
  return (found.length > 0 ? found : findSimilarItems(all, query, (word) => word)).map((operand) => ({
    operand,
    detail: wordDetail(operand),
  }))
}

function wordDetail(word: string): string | undefined {
  const { values } = tl().search
  return isKeyOf(values, word) ? values[word] : undefined
}

/** The current user comes first, then people whom the user talks with. */
export function suggestPeople(typed: string, find = findItems): readonly ValueSuggestion[] {
  const me = { operand: 'me', detail: tl().search.me, userId: ownId() }
  return ['me'.startsWith(typed.toLowerCase()) ? [me] : [], suggestOtherPeople(typed, find)].flat()
}

function suggestOtherPeople(typed: string, find = findItems): readonly ValueSuggestion[] {
  return find(familiarPeople.value, typed, ({ full_name: name }) => name).map(({ user_id: userId, email }) => {
    const name = uniqueNameOrEmail(userId)
    // Commas separate people, so a name with a comma is replaced by the email address.
    return { operand: name.includes(',') ? email : name, detail: email, userId }
  })
}

/** Completes the last of several comma-separated names. */
function completeLastName(
  typed: string,
  complete: (typed: string) => readonly ValueSuggestion[],
): readonly ValueSuggestion[] {
  const at = typed.lastIndexOf(',') + 1
  const before = typed.slice(0, at)
  return complete(typed.slice(at).trim()).map((value) => ({ ...value, operand: `${before}${value.operand}` }))
}

/** Subscribed channels come first. */
export function suggestChannels(typed: string, find = findItems): readonly ValueSuggestion[] {
  const all = allChannels().toSorted((one, other) => channelOrder(one.stream_id) - channelOrder(other.stream_id))
  return find(all, typed, ({ name }) => name).map(({ stream_id: id, name, description }) => ({
    operand: name,
    icon: channelIcon(id),
    ...(description === '' ? {} : { detail: description }),
  }))
}

function channelOrder(channelId: number): number {
  const channel = channelById(channelId)
  if (channel?.is_archived === true) return 2
  return subscriptionTo(channelId) === undefined ? 1 : 0
}

const MAX_CHANNELS = 4
const MAX_PEOPLE = 3

/** Suggests `#channel`, `#channel>topic`, `@person`, and the words `home` and `all`. */
function suggestPlaces(typed: string): readonly ValueSuggestion[] {
  const [isChannel, isPerson] = [typed.startsWith('#'), typed.startsWith('@')]
  const inChannel = isPerson ? [] : suggestChannelsAndTopics(typed.replace(/^#/, ''))
  if (inChannel.length > 0) return inChannel
  const channels = isPerson ? [] : prefixOperands('#', suggestChannels(typed.replace(/^#/, '')))
  const people = isChannel
    ? []
    : completeLastName(typed, (name) => prefixOperands('@', suggestOtherPeople(name.replace(/^@/, ''))))
  const words =
    isChannel || isPerson ? [] : suggestWords('in', typed).map((word) => ({ ...word, icon: 'inbox' as const }))
  return [
    ...channels.slice(0, people.length > 0 ? MAX_CHANNELS : channels.length),
    ...people.slice(0, channels.length > 0 ? MAX_PEOPLE : people.length),
    ...words,
  ]
}

function prefixOperands(sign: string, values: readonly ValueSuggestion[]): readonly ValueSuggestion[] {
  return values.map((value) => ({ ...value, operand: `${sign}${value.operand}` }))
}

function suggestChannelsAndTopics(typed: string): readonly ValueSuggestion[] {
  const place = splitPlace(typed, channelNamed)
  if (place?.topic === undefined) return []
  const { channel, topic: typedTopic } = place
  return rankItems([...knownTopics(channel.stream_id).keys()], typedTopic, topicTitle).map((topic) => ({
    operand: `#${channel.name}>${topic}`,
    icon: 'feed',
  }))
}

function suggestTopics(typed: string, conditions: readonly Condition[]): readonly ValueSuggestion[] {
  const channel = conditions.find(({ operator, isNegated }) => !isNegated && ['channel', 'in'].includes(operator))
  const chosen = channel === undefined ? undefined : channelNamed(channel.operand.replace(/^#/, ''))
  return rankItems([...knownTopics(chosen?.stream_id)], typed, ([topic]) => topicTitle(topic)).map(
    ([operand, detail]) => ({ operand, detail }),
  )
}

/** Returns the names of known topics with their channel's name. */
function knownTopics(only: number | undefined): ReadonlyMap<string, string> {
  const known = new Map<string, string>()
  const add = (channelId: number, topic: string): void => {
    if (topic === '' || (only !== undefined && channelId !== only) || known.has(topic)) return
    known.set(topic, channelById(channelId)?.name ?? '')
  }
  if (only !== undefined) for (const topic of topicsOf(only)) add(only, topic)
  for (const { stream_id: channelId, subject } of messages.all()) if (channelId !== undefined) add(channelId, subject)
  for (const { stream_id: channelId, topics } of store().read('unread_conversations').channels)
    for (const { topic } of topics) add(channelId, topic)
  for (const { stream_id: channelId, topic_name: topic } of store().read('user_topics')) add(channelId, topic)
  return known
}

/** Reads what was typed as a date, and suggests dates whose name starts with it. */
function suggestDates(operator: Operator, typed: string): readonly ValueSuggestion[] {
  // A range up to today has no messages after it, and “before the last 7 days” is hard to understand.
  const usual = suggestedPeriods().filter(({ isRange }) => operator === 'on' || isRange !== true)
  const phrase = normalizePhrase(typed)
  const exact = parsePeriod(typed)
  const named = phrase === '' ? usual : namedPeriods().filter(({ name }) => normalizePhrase(name).startsWith(phrase))
  const near =
    exact === undefined && named.length === 0 ? findSimilarItems(namedPeriods(), phrase, ({ name }) => name) : []
  const exactly = exact === undefined ? [] : [{ ...exact, name: periodTitle(exact) }]
  const values = [...exactly, ...named, ...near].map((period) => {
    const [operand, title, dates] = [formatPeriod(period), period.name, formatPeriodDates(period)]
    return { operand, title, ...(dates === title ? {} : { detail: dates }) }
  })
  return values.filter(({ operand }, index) => values.findIndex((one) => one.operand === operand) === index)
}
