import { caseKey } from '@parley/server/kernel/case-key'
import type { Term } from '../../kernel/message.ts'
import { OPERATORS, type Condition, type Operator, type Query } from '../../kernel/query.ts'
import type { Store } from '../../platform/sync/store.ts'
import { parsePeriod, toUnixSeconds } from './periods.ts'

export interface Search {
  readonly terms: readonly Term[]
  /** Conditions whose value does not exist. */
  readonly unknown: readonly Condition[]
  readonly near: number | undefined
  /** The results open at the message nearest to this time (ISO 8601). */
  readonly date: string | undefined
  /** UNIX seconds of the earliest results. */
  readonly since: number
  /** UNIX seconds before which all results were sent. */
  readonly until: number
}

export const QUERY_PIECE = /(-?)([a-z-]+):(?:"((?:[^"\\]|\\.)*)"|([^\s"]\S*))|-?"[^"]*"|\S+/gi

export function readQuery(text: string): Query {
  const conditions: Condition[] = []
  const words: string[] = []
  for (const [piece, minus = '', name = '', quoted, bare] of text.matchAll(QUERY_PIECE)) {
    const operator = operatorNamed(name)
    const operand = quoted?.replaceAll(/\\(.)/g, '$1') ?? bare ?? ''
    if (operator === undefined || operand === '') words.push(piece)
    else conditions.push({ operator, operand, isNegated: minus === '-' })
  }
  return { conditions, words: words.join(' ') }
}

/** Ignores case: phones capitalize the first word. */
export function operatorNamed(name: string): Operator | undefined {
  return OPERATORS.find((one) => one === name.toLowerCase())
}

export const VALUES_BY_OPERATOR: Readonly<Record<string, readonly string[]>> = {
  is: ['unread', 'starred', 'mentioned', 'followed', 'resolved', 'muted', 'dm', 'alerted'],
  has: ['link', 'file', 'image', 'reaction', 'attachment'],
  in: ['home', 'all'],
  channels: ['public', 'web-public', 'archived'],
  order: ['newest', 'best'],
}

type ResolvedCondition = Partial<Pick<Search, 'terms' | 'near' | 'date' | 'since' | 'until'>>

export function parseSearchQuery(query: string, store: Store): Search {
  const { conditions, words } = readQuery(query)
  const resolved = conditions.map((condition) => resolveCondition(condition, store))
  const known = resolved.filter((one) => one !== undefined)
  return {
    terms: [...known.flatMap(({ terms = [] }) => terms), ...wordTerms(words)],
    unknown: conditions.filter((_, index) => resolved[index] === undefined),
    near: known.findLast(({ near }) => near !== undefined)?.near,
    date: known.findLast(({ date }) => date !== undefined)?.date,
    since: Math.max(...known.map(({ since = -Infinity }) => since)),
    until: Math.min(...known.map(({ until = Infinity }) => until)),
  }
}

export function isKnownCondition(condition: Condition, store: Store): boolean {
  return resolveCondition(condition, store) !== undefined
}

function wordTerms(words: string): Term[] {
  const pieces = words.match(/-?"[^"]*"|\S+/g) ?? []
  const isNegated = (piece: string): boolean => /^-./.test(piece)
  const found = pieces.filter((piece) => !isNegated(piece)).join(' ')
  return [
    ...(found === '' ? [] : [{ operator: 'search', operand: found }]),
    ...pieces.filter(isNegated).map((piece) => ({ operator: 'search', operand: piece.slice(1), negated: true })),
  ]
}

function resolveCondition(condition: Condition, store: Store): ResolvedCondition | undefined {
  const { operator, operand, isNegated: negated } = condition
  switch (operator) {
    case 'before':
    case 'after':
    case 'on':
    case 'date':
      return resolveDates(condition)
    case 'near':
      return negated || !isNumericId(operand) ? undefined : { near: Number(operand) }
    default: {
      const terms = toApiTerms(operator, operand, store)
      // Messages outside a topic cannot be described by excluding both its channel and its name.
      if (terms === undefined || (negated && (terms.length > 1 || operator === 'order'))) return undefined
      return { terms: terms.map((term) => ({ ...term, negated })) }
    }
  }
}

function resolveDates({ operator, operand, isNegated }: Condition): ResolvedCondition | undefined {
  const period = parsePeriod(operand)
  if (period === undefined) return undefined
  const [start, end] = [toUnixSeconds(period.start), toUnixSeconds(period.end)]
  if (operator === 'before') return isNegated ? { since: start } : { until: start }
  if (operator === 'after') return isNegated ? { until: end } : { since: end }
  if (isNegated) return undefined
  return operator === 'on' ? { since: start, until: end } : { date: period.start.toISOString() }
}

function toApiTerms(operator: Operator, operand: string, store: Store): Term[] | undefined {
  if (operator === 'in') return placeTerms(operand, store)
  const value = apiOperandOf(operator, operand, store)
  return value === undefined ? undefined : [{ operator: operator === 'from' ? 'sender' : operator, operand: value }]
}

function apiOperandOf(operator: Operator, text: string, store: Store): Term['operand'] | undefined {
  switch (operator) {
    case 'topic':
      return text
    case 'channel':
      return findChannelId(text, store)
    case 'from':
      return findPersonId(text.replace(/^@/, ''), store)
    case 'sender':
      return findPersonId(text, store)
    case 'dm':
    case 'dm-including':
      return findPeople(text, store)
    case 'id':
      return isNumericId(text) ? Number(text) : undefined
    default: {
      const word = VALUES_BY_OPERATOR[operator]?.find((one) => one === text)
      return word === 'file' ? 'attachment' : word
    }
  }
}

function isNumericId(text: string): boolean {
  return /^\d{1,15}$/.test(text)
}

/** Reads the value of `in`: `home`, `#garden`, `garden>beans`, `@Ada`, or a name without a sign. */
function placeTerms(text: string, store: Store): Term[] | undefined {
  if (text === 'home' || text === 'all') return [{ operator: 'in', operand: text }]
  const isDirect = text.startsWith('@')
  const inChannel = isDirect ? undefined : channelTerms(text.replace(/^#/, ''), store)
  if (inChannel !== undefined || text.startsWith('#')) return inChannel
  const people = findPeople(text.replaceAll(/(^|,\s*)@/g, '$1'), store)
  return people === undefined ? undefined : [{ operator: 'dm', operand: people }]
}

function channelTerms(text: string, store: Store): Term[] | undefined {
  const place = splitPlace(text, (name) => findChannelId(name, store))
  if (place === undefined || place.topic === '') return undefined
  const channel = { operator: 'channel', operand: place.channel }
  return place.topic === undefined ? [channel] : [channel, { operator: 'topic', operand: place.topic }]
}

/** Splits `garden>beans`. A channel's name can contain `>` too, so each one is tried as the end of the name. */
export function splitPlace<Channel>(
  text: string,
  find: (name: string) => Channel | undefined,
): { readonly channel: Channel; readonly topic?: string } | undefined {
  const channel = find(text.trim())
  if (channel !== undefined) return { channel }
  for (let at = text.indexOf('>'); at !== -1; at = text.indexOf('>', at + 1)) {
    const before = find(text.slice(0, at).trim())
    if (before !== undefined) return { channel: before, topic: text.slice(at + 1).trim() }
  }
  return undefined
}

function findChannelId(text: string, store: Store): number | undefined {
  const name = caseKey(text)
  const channels = [...store.read('subscriptions'), ...store.read('unsubscribed'), ...store.read('never_subscribed')]
  return channels.find((channel) => caseKey(channel.name) === name)?.stream_id
}

function findPeople(text: string, store: Store): number[] | undefined {
  const ids = text.split(',').map((name) => findPersonId(name.trim(), store))
  return ids.includes(undefined) ? undefined : ids.filter((id) => id !== undefined)
}

/** Finds a person by name or email; `me` is the current user. */
function findPersonId(text: string, store: Store): number | undefined {
  const name = caseKey(text)
  if (name === 'me') return store.read('user_id')
  const people = [
    ...store.read('realm_users'),
    ...store.read('realm_non_active_users'),
    ...store.read('cross_realm_bots'),
  ]
  return people.find((person) => caseKey(person.full_name) === name || caseKey(person.email) === name)?.user_id
}
