import { caseKey } from '@parley/server/kernel/case-key'
import type { Term } from '../../kernel/message.ts'
import { OPERATORS, type Condition, type Query } from '../../kernel/query.ts'
import type { Store } from '../../platform/sync/store.ts'

export interface Search {
  readonly terms: readonly Term[]
  /** Conditions whose value does not exist. */
  readonly unknown: readonly Condition[]
  readonly near: number | undefined
  readonly date: string | undefined
}

const QUERY_PIECE = /(-?)([a-z-]+):(?:"((?:[^"\\]|\\.)*)"|([^\s"]\S*))|-?"[^"]*"|\S+/g

export function readQuery(text: string): Query {
  const conditions: Condition[] = []
  const words: string[] = []
  for (const [piece, minus = '', name = '', quoted, bare] of text.matchAll(QUERY_PIECE)) {
    const operator = OPERATORS.find((one) => one === name)
    const operand = quoted?.replaceAll(/\\(.)/g, '$1') ?? bare ?? ''
    if (operator === undefined || operand === '') words.push(piece)
    else conditions.push({ operator, operand, isNegated: minus === '-' })
  }
  return { conditions, words: words.join(' ') }
}

export function canNegate({ operator }: Pick<Condition, 'operator'>): boolean {
  return operator !== 'near' && operator !== 'date'
}

export const VALUES_BY_OPERATOR: Readonly<Record<string, readonly string[]>> = {
  is: ['unread', 'starred', 'mentioned', 'followed', 'resolved', 'muted', 'dm', 'alerted'],
  has: ['link', 'attachment', 'image', 'reaction'],
  in: ['home', 'all'],
  channels: ['public', 'web-public', 'archived'],
}

export function parseSearchQuery(query: string, store: Store): Search {
  const { conditions, words } = readQuery(query)
  const terms: Term[] = []
  const unknown: Condition[] = []
  let near: number | undefined
  let date: string | undefined
  for (const condition of conditions) {
    const { operator, operand: said, isNegated } = condition
    const operand = apiOperandOf(condition, store)
    if (operand === undefined || (isNegated && !canNegate(condition))) unknown.push(condition)
    else if (operator === 'near') near = Number(said)
    else if (operator === 'date') date = said
    else terms.push({ operator, operand, negated: isNegated })
  }
  return { terms: [...terms, ...wordTerms(words)], unknown, near, date }
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

function apiOperandOf({ operator, operand: said }: Condition, store: Store): Term['operand'] | undefined {
  switch (operator) {
    case 'topic':
      return said
    case 'channel':
      return findChannelId(said, store)
    case 'sender':
      return findPersonId(said, store)
    case 'dm':
    case 'dm-including': {
      const ids = said.split(',').map((name) => findPersonId(name.trim(), store))
      return ids.some((id) => id === undefined) ? undefined : ids.filter((id) => id !== undefined)
    }
    case 'near':
    case 'id':
      return /^\d{1,15}$/.test(said) ? Number(said) : undefined
    case 'date':
      return /^\d{4}-\d\d-\d\d$/.test(said) && !Number.isNaN(Date.parse(said)) ? said : undefined
    default:
      return VALUES_BY_OPERATOR[operator]?.find((word) => word === said)
  }
}

function findChannelId(said: string, store: Store): number | undefined {
  const name = caseKey(said)
  const channels = [...store.read('subscriptions'), ...store.read('unsubscribed'), ...store.read('never_subscribed')]
  return channels.find((channel) => caseKey(channel.name) === name)?.stream_id
}

/** Finds a person by name or email; `me` is the current user. */
function findPersonId(said: string, store: Store): number | undefined {
  const name = caseKey(said)
  if (name === 'me') return store.read('user_id')
  const people = [
    ...store.read('realm_users'),
    ...store.read('realm_non_active_users'),
    ...store.read('cross_realm_bots'),
  ]
  return people.find((person) => caseKey(person.full_name) === name || caseKey(person.email) === name)?.user_id
}
