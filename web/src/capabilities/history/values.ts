import { isKeyOf } from '@parley/server/kernel/keys'
import type { IconName } from '../../kernel/icons.ts'
import { tl } from '../../kernel/later-texts.ts'
import type { Condition, Operator } from '../../kernel/query.ts'
import { rankItems } from '../../kernel/ranking.ts'
import { messages, store } from '../../platform/client.ts'
import { allChannels, channelById, channelNamed, subscriptionTo } from '../channels/state.ts'
import { topicsOf } from '../channels/topics.ts'
import { topicTitle } from '../places/title.tsx'
import { familiarPeople } from '../users/familiar.ts'
import { ownId, searchedName } from '../users/state.ts'
import { findItems, nearItems } from './near-misses.ts'
import {
  datesOf,
  namedPeriods,
  periodTitle,
  normalizePhrase,
  readPeriod,
  usualPeriods,
  writePeriod,
} from './periods.ts'
import { splitPlace, VALUES_BY_OPERATOR } from './search-query.ts'

/** Value suggested for an operator. */
export interface Value {
  readonly operand: string
  /** Shown instead of the operand. */
  readonly title?: string
  readonly detail?: string | undefined
  readonly icon?: IconName
  readonly userId?: number
}

/** @param conditions those that the search already has: topics are suggested in their channel */
export function valuesFor(operator: Operator, typed: string, conditions: readonly Condition[]): readonly Value[] {
  switch (operator) {
    case 'from':
    case 'sender':
      return peopleFor(typed.replace(/^@/, ''))
    case 'dm':
    case 'dm-including':
      return completeLast(typed, (name) => directPeopleFor(name))
    case 'channel':
      return channelsFor(typed)
    case 'in':
      return placesFor(typed)
    case 'topic':
      return topicsFor(typed, conditions)
    case 'before':
    case 'after':
    case 'on':
    case 'date':
      return datesFor(operator, typed)
    case 'near':
    case 'id':
      return []
    default:
      return wordsFor(operator, typed)
  }
}

export function wordsFor(operator: Operator, typed: string): readonly Value[] {
  const all = VALUES_BY_OPERATOR[operator] ?? []
  const query = typed.toLowerCase()
  const found = all.filter((word) => word.startsWith(query) && (query !== '' || word !== 'attachment'))
  return (found.length > 0 ? found : nearItems(all, query, (word) => word)).map((operand) => ({
    operand,
    detail: wordDetail(operand),
  }))
}

function wordDetail(word: string): string | undefined {
  const { values } = tl().search
  return isKeyOf(values, word) ? values[word] : undefined
}

/** The current user comes first, then people whom the user talks with. */
export function peopleFor(typed: string, find = findItems): readonly Value[] {
  const me = { operand: 'me', detail: tl().search.me, userId: ownId() }
  return ['me'.startsWith(typed.toLowerCase()) ? [me] : [], directPeopleFor(typed, find)].flat()
}

function directPeopleFor(typed: string, find = findItems): readonly Value[] {
  return find(familiarPeople.value, typed, ({ full_name: name }) => name).map(({ user_id: userId, email }) => {
    const name = searchedName(userId)
    // Commas separate people, so a name with a comma is replaced by the email address.
    return { operand: name.includes(',') ? email : name, detail: email, userId }
  })
}

/** Completes the last of several comma-separated names. */
function completeLast(typed: string, complete: (typed: string) => readonly Value[]): readonly Value[] {
  const at = typed.lastIndexOf(',') + 1
  const before = typed.slice(0, at)
  return complete(typed.slice(at).trim()).map((value) => ({ ...value, operand: `${before}${value.operand}` }))
}

/** Subscribed channels come first. */
export function channelsFor(typed: string, find = findItems): readonly Value[] {
  const all = allChannels().toSorted((one, other) => channelOrder(one.stream_id) - channelOrder(other.stream_id))
  return find(all, typed, ({ name }) => name).map(({ name, description }) => ({
    operand: name,
    icon: 'hash',
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
function placesFor(typed: string): readonly Value[] {
  const [isChannel, isPerson] = [typed.startsWith('#'), typed.startsWith('@')]
  const inChannel = isPerson ? [] : channelTopicsFor(typed.replace(/^#/, ''))
  if (inChannel.length > 0) return inChannel
  const channels = isPerson ? [] : withSign('#', channelsFor(typed.replace(/^#/, '')))
  const people = isChannel ? [] : completeLast(typed, (name) => withSign('@', directPeopleFor(name.replace(/^@/, ''))))
  const words = isChannel || isPerson ? [] : wordsFor('in', typed).map((word) => ({ ...word, icon: 'inbox' as const }))
  return [
    ...channels.slice(0, people.length > 0 ? MAX_CHANNELS : channels.length),
    ...people.slice(0, channels.length > 0 ? MAX_PEOPLE : people.length),
    ...words,
  ]
}

function withSign(sign: string, values: readonly Value[]): readonly Value[] {
  return values.map((value) => ({ ...value, operand: `${sign}${value.operand}` }))
}

function channelTopicsFor(typed: string): readonly Value[] {
  const place = splitPlace(typed, channelNamed)
  if (place?.topic === undefined) return []
  const { channel, topic: typedTopic } = place
  return rankItems([...knownTopics(channel.stream_id).keys()], typedTopic, topicTitle).map((topic) => ({
    operand: `#${channel.name}>${topic}`,
    icon: 'feed',
  }))
}

function topicsFor(typed: string, conditions: readonly Condition[]): readonly Value[] {
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
function datesFor(operator: Operator, typed: string): readonly Value[] {
  // A range up to today has no messages after it, and “before the last 7 days” is hard to understand.
  const usual = usualPeriods().filter(({ isRange }) => operator === 'on' || isRange !== true)
  const phrase = normalizePhrase(typed)
  const exact = readPeriod(typed)
  const named = phrase === '' ? usual : namedPeriods().filter(({ name }) => normalizePhrase(name).startsWith(phrase))
  const near = exact === undefined && named.length === 0 ? nearItems(namedPeriods(), phrase, ({ name }) => name) : []
  const exactly = exact === undefined ? [] : [{ ...exact, name: periodTitle(exact) }]
  const values = [...exactly, ...named, ...near].map((period) => {
    const [operand, title, dates] = [writePeriod(period), period.name, datesOf(period)]
    return { operand, title, ...(dates === title ? {} : { detail: dates }) }
  })
  return values.filter(({ operand }, index) => values.findIndex((one) => one.operand === operand) === index)
}
