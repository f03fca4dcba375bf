import { OPERATORS, type Condition, type Operator } from '../../kernel/query.ts'
import type { IconName } from '../../kernel/icons.ts'
import { rankItems } from '../../kernel/ranking.ts'
import { t } from '../../kernel/strings.ts'
import { dayTitle } from '../../kernel/time.ts'
import { messages, store } from '../../platform/client.ts'
import { allChannels, channelById } from '../channels/state.ts'
import { topicsOf } from '../channels/topics.ts'
import { topicTitle } from '../places/title.tsx'
import { activePeople, ownId, searchedName } from '../users/state.ts'
import { readQuery, VALUES_BY_OPERATOR } from './search-query.ts'
import { caseKey } from '@parley/server/kernel/case-key'
import { isKeyOf } from '@parley/server/kernel/keys'

/** Suggested search condition, or an operator that still needs a value. */
export interface Completion {
  readonly key: string
  readonly label: string
  readonly detail?: string
  readonly icon: IconName
  readonly userId?: number
  readonly condition?: Condition
  readonly text?: string
}

const MAX_COMPLETIONS = 9
const MAX_NAMES = 3

const OPERATOR_ICONS: Readonly<Record<Operator, IconName>> = {
  channel: 'hash',
  topic: 'feed',
  sender: 'person',
  dm: 'send',
  'dm-including': 'send',
  is: 'check',
  has: 'attach',
  in: 'inbox',
  channels: 'channels',
  near: 'link',
  date: 'recent',
  id: 'link',
}

/** Matches an operator with an incomplete value at the end of the text; names can contain spaces. */
const PENDING_TERM = new RegExp(`(?:^|\\s)(-?)(${OPERATORS.join('|')}):("?)([^"]*)$`)

interface PendingTerm {
  readonly operator: Operator
  readonly isNegated: boolean
  readonly typed: string
  readonly before: string
}

export function pendingTermIn(text: string): PendingTerm | undefined {
  const found = PENDING_TERM.exec(text)
  const operator = OPERATORS.find((one) => one === found?.[2])
  if (found === null || operator === undefined) return undefined
  return { operator, isNegated: found[1] === '-', typed: found[4] ?? '', before: text.slice(0, found.index) }
}

/** Whether the operator takes names that suggestions complete, rather than free text, a date, or an ID. */
export function takesNames({ operator }: PendingTerm): boolean {
  return !['topic', 'near', 'date', 'id'].includes(operator)
}

export function completionsFor(text: string, conditions: readonly Condition[]): readonly Completion[] {
  const pending = pendingTermIn(text)
  if (pending !== undefined) return valuesFor(pending, conditions).slice(0, MAX_COMPLETIONS)
  const [, minus = '', word = ''] = /(-?)(\S*)$/.exec(text) ?? []
  const typed = word.toLowerCase()
  const before = text.slice(0, text.length - word.length - minus.length)
  const isNegated = minus === '-'
  const operators = OPERATORS.filter((name) => name.startsWith(typed) && (typed !== '' || isCommonOperator(name))).map(
    (operator): Completion => ({
      key: operator,
      label: `${minus}${operator}:`,
      detail: t().search.operators[operator],
      icon: OPERATOR_ICONS[operator],
      text: `${before}${minus}${operator}:`,
    }),
  )
  if (typed === '') return operators
  const words = (['is', 'has'] as const).flatMap((operator) =>
    (VALUES_BY_OPERATOR[operator] ?? [])
      .filter((value) => value.startsWith(typed))
      .map((operand) => createCompletion({ operator, operand, isNegated }, wordDetail(operand))),
  )
  const named = [...channelsFor(typed, isNegated), ...peopleFor('sender', typed, isNegated)]
  return [...operators, ...words, ...named].slice(0, MAX_COMPLETIONS)
}

function isCommonOperator(operator: Operator): boolean {
  return !['dm-including', 'in', 'channels', 'near', 'id'].includes(operator)
}

function createCompletion(condition: Condition, detail?: string): Completion {
  const { operator, operand, isNegated } = condition
  return {
    key: `${operator}:${operand}`,
    label: `${isNegated ? '-' : ''}${operator}: ${operand}`,
    icon: OPERATOR_ICONS[operator],
    condition,
    ...(detail === undefined ? {} : { detail }),
  }
}

function wordDetail(word: string): string | undefined {
  const { values } = t().search
  return isKeyOf(values, word) ? values[word] : undefined
}

function valuesFor(
  { operator, isNegated, typed }: PendingTerm,
  conditions: readonly Condition[],
): readonly Completion[] {
  const query = typed.trim().toLowerCase()
  switch (operator) {
    case 'channel':
      return channelsFor(query, isNegated, MAX_COMPLETIONS)
    case 'sender':
      return peopleFor(operator, query, isNegated, MAX_COMPLETIONS)
    case 'dm':
    case 'dm-including':
      return groupsFor(operator, typed, isNegated)
    case 'topic':
      return topicsFor(query, isNegated, conditions)
    case 'date':
      return daysFor(query)
    case 'near':
    case 'id':
      return []
    default:
      return (VALUES_BY_OPERATOR[operator] ?? [])
        .filter((word) => word.startsWith(query))
        .map((operand) => createCompletion({ operator, operand, isNegated }, wordDetail(operand)))
  }
}

function channelsFor(typed: string, isNegated: boolean, most = MAX_NAMES): readonly Completion[] {
  return rankItems(allChannels(), typed, ({ name }) => name)
    .slice(0, most)
    .map(({ name }) => createCompletion({ operator: 'channel', operand: name, isNegated }))
}

function peopleFor(
  operator: 'sender' | 'dm' | 'dm-including',
  typed: string,
  isNegated: boolean,
  most = MAX_NAMES,
): readonly Completion[] {
  const people = rankItems(activePeople.value, typed, ({ full_name: name }) => name)
  const found = people.slice(0, most).map(({ user_id: userId, email }): Completion => ({
    ...createCompletion({ operator, operand: searchedName(userId), isNegated }, email),
    key: `${operator}:${userId}`,
    userId,
  }))
  const isMe = operator === 'sender' && 'me'.startsWith(typed)
  const me = createCompletion({ operator, operand: 'me', isNegated }, t().search.me)
  return isMe ? [{ ...me, userId: ownId() }, ...found.slice(0, most - 1)] : found
}

/** Completes the last of several comma-separated names. */
function groupsFor(operator: 'dm' | 'dm-including', typed: string, isNegated: boolean): readonly Completion[] {
  const comma = typed.lastIndexOf(',')
  const before = typed.slice(0, comma + 1)
  return peopleFor(
    operator,
    typed
      .slice(comma + 1)
      .trim()
      .toLowerCase(),
    isNegated,
    MAX_COMPLETIONS,
  ).map((one) =>
    one.condition === undefined
      ? one
      : { ...one, condition: { ...one.condition, operand: `${before}${one.condition.operand}` } },
  )
}

function topicsFor(typed: string, isNegated: boolean, conditions: readonly Condition[]): readonly Completion[] {
  const channel = conditions.find(({ operator, isNegated: isNot }) => operator === 'channel' && !isNot)?.operand
  const known = new Map<string, string>()
  const add = (channelId: number, topic: string): void => {
    const name = channelById(channelId)?.name ?? ''
    if (topic === '' || (channel !== undefined && caseKey(name) !== caseKey(channel))) return
    if (!known.has(topic)) known.set(topic, name)
  }
  const named = allChannels().find(({ name }) => channel !== undefined && caseKey(name) === caseKey(channel))
  if (named !== undefined) for (const topic of topicsOf(named.stream_id)) add(named.stream_id, topic)
  for (const { stream_id: channelId, subject } of messages.all()) if (channelId !== undefined) add(channelId, subject)
  for (const { stream_id: channelId, topics } of store().read('unread_conversations').channels)
    for (const { topic } of topics) add(channelId, topic)
  for (const { stream_id: channelId, topic_name: topic } of store().read('user_topics')) add(channelId, topic)
  return rankItems([...known], typed, ([topic]) => topicTitle(topic)).map(([topic, name]) =>
    createCompletion({ operator: 'topic', operand: topic, isNegated }, name),
  )
}

function daysFor(typed: string): readonly Completion[] {
  const now = new Date()
  // Subtracts calendar days, which are not always 24 hours long.
  const days = [0, 1, 7, 30].map((ago) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - ago, 12))
  return days
    .map((date) => ({ date, operand: localDay(date) }))
    .filter(({ operand }) => operand.startsWith(typed))
    .map(({ date, operand }) =>
      createCompletion(
        { operator: 'date', operand, isNegated: false },
        t().search.since(dayTitle(date.getTime() / 1000)),
      ),
    )
}

function localDay(date: Date): string {
  const twoDigits = (number: number): string => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`
}

/** Skips incomplete conditions. @param knows whether a condition's value exists */
export function queryWhileTyping(text: string, knows: (condition: Condition) => boolean): ReturnType<typeof readQuery> {
  const { conditions, words } = readQuery(text)
  const pending = pendingTermIn(text)
  const typed = words.replace(/(^|\s)(-|-?[a-z-]+:"?)$/, '').trim()
  const isWaiting = (condition: Condition): boolean =>
    pending !== undefined && !takesNames(pending) && condition === conditions.at(-1)
  return { conditions: conditions.filter((one) => !isWaiting(one) && knows(one)), words: typed }
}
