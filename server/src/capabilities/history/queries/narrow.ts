import { createYielder, turnOwner } from '../../../kernel/pauses.ts'
import { isSpectator } from '../../../kernel/actor.ts'
import { ApiError, notLoggedInError } from '../../../kernel/refusal.ts'
import { markMatches, searchTermsOfHtml } from '../../../kernel/search-marks.ts'
import { searchTermsOf } from '../../../kernel/search-terms.ts'
import type { Reader } from '../../../kernel/transaction.ts'
import type { Registration } from '../../../kernel/viewer.ts'
import { createPacedQueue } from '../../../platform/turns.ts'
import { escapeHtml } from '../../../platform/markdown/escape.ts'
import { isChannelInTokenScope, channelOutOfScopeError } from '../../api-tokens/rules.ts'
import type { NarrowTerm } from '../../messages/contract/narrow.ts'
import { topicAndChannelOf } from './finding.ts'
import { invalidNarrowError, channelOperand, messageOperand, type Operand } from './operands.ts'
import { OPERATORS, type Operator } from './operators.ts'
import type { Asker, Condition, MessageTest } from './questions.ts'
import { isSearchTest, mergeSearchTests, prepareSearches, searchTest, type SearchTest } from './search.ts'

export { findFirstSince, matchingIdsAmong } from './finding.ts'
export { findWindow, type MessageWindow } from './window.ts'
export { matchesNarrow, type Condition } from './questions.ts'

/** Consists of plain data, so that an event queue can store it. */
export interface ResolvedTerm {
  readonly operator: string
  readonly value: unknown
  readonly negated: boolean
}

function resolveNarrow(asker: Asker, terms: readonly NarrowTerm[]): ResolvedTerm[] {
  return terms.map(({ operator, operand, negated }) => ({
    operator,
    value: requireOperator(operator).read(asker, operand),
    negated,
  }))
}

function conditionsForTerms(terms: readonly ResolvedTerm[]): Condition[] {
  const channel = terms.find((term) => ['channel', 'stream'].includes(term.operator) && !term.negated)
  // Safe: the value of a channel term contains the channel's ID.
  const beside = { channelId: (channel?.value as { id: number } | undefined)?.id }
  return terms.map(({ operator, value, negated }) => ({
    question: requireOperator(operator).ask(value, beside),
    negated,
  }))
}

/** Safe: `ask` of each operator receives only values from its own `read`. */
const operators: Readonly<Record<string, Operator<unknown> | undefined>> = OPERATORS

function requireOperator(name: string): Operator<unknown> {
  const operator = Object.hasOwn(operators, name) ? operators[name] : undefined
  if (operator === undefined) throw invalidNarrowError(`unknown operator ${name}`)
  return operator
}

/** @throws ApiError BAD_NARROW for an unknown operator, channel, or user */
export async function prepareNarrow(reader: Reader, terms: readonly NarrowTerm[]): Promise<Condition[]> {
  const asker = { organization: reader.organization, member: reader.actor }
  const found = await resolveWithOperator(reader, asker, terms)
  const conditions = [...found.conditions, ...conditionsForTerms(resolveNarrow(asker, found.terms))]
  const searches = conditions.flatMap(({ question, negated }) =>
    isSearchTest(question) ? [{ question, negated }] : [],
  )
  if (searches.length === 0) return conditions
  const wanted = searches.filter(({ negated }) => !negated).map(({ question }) => question)
  const excluded = searches.filter(({ negated }) => negated).map(({ question }) => question)
  // Looking up all searches together takes no longer than looking up one.
  const main = wanted.length === 0 ? undefined : mergeSearchTests(wanted)
  const prepared = await prepareSearches(reader, main, excluded)
  return [
    ...(prepared.main === undefined ? [] : [{ question: prepared.main, negated: false }]),
    ...prepared.others.map((question) => ({ question, negated: true })),
    ...conditions.filter(({ question }) => !isSearchTest(question)),
  ]
}

const LARGE_WINDOW_MESSAGES = 1_000

export function isSlowNarrow(terms: readonly NarrowTerm[], count: number): boolean {
  return count > LARGE_WINDOW_MESSAGES || terms.some(({ operator }) => operator === 'search')
}

/** Returns the search whose matches are highlighted. */
export function searchOf(conditions: readonly Condition[]): SearchTest | undefined {
  return conditions.flatMap(({ question, negated }) => (isSearchTest(question) && !negated ? [question] : []))[0]
}

/** Returns the search whose matches are ranked, if any are. */
export function rankedSearchOf(conditions: readonly Condition[]): SearchTest | undefined {
  return conditions.some(({ question }) => question.ranks === true) ? searchOf(conditions) : undefined
}

/** With a token limited to channels, a narrow must name one of them, and not use `with`: it could select another. */
export function requireNarrowInScope({ organization, actor }: Reader, terms: readonly NarrowTerm[]): void {
  if (isChannelInTokenScope(actor, null)) return
  const asker = { organization, member: actor }
  const isInside = terms.some(
    ({ operator, operand, negated }) =>
      ['channel', 'stream'].includes(operator) &&
      !negated &&
      isChannelInTokenScope(actor, visibleChannelOperand(asker, operand)),
  )
  if (!isInside || terms.some(({ operator }) => operator === 'with')) throw channelOutOfScopeError()
}

const SPECTATOR_OPERATORS = 'channel stream topic subject id near channels streams has search'.split(' ')

/**
 * Spectators must ask for web-public channels, so that clients whose login ended get an error, not fewer messages. They
 * cannot choose messages by ID: the number that fits in a response depends on the sizes of all chosen messages.
 */
export function requireSpectatorRequest(
  { actor }: Reader,
  { narrow: terms, message_ids: ids }: { readonly narrow: readonly NarrowTerm[]; readonly message_ids?: unknown },
): void {
  if (!isSpectator(actor)) return
  const asksForPublished = terms.some(
    ({ operator, operand, negated }) =>
      ['channels', 'streams'].includes(operator) && operand === 'web-public' && !negated,
  )
  if (!asksForPublished || ids !== undefined || terms.some(({ operator }) => !SPECTATOR_OPERATORS.includes(operator)))
    throw notLoggedInError()
}

const searchInTurn = createPacedQueue({
  maxWaiting: 100,
  restRatio: 4,
  refuse() {
    throw new ApiError('RATE_LIMIT_HIT', 'Too many searches are running. Try again later.', { 'retry-after': 1 })
  },
})

/** The searches of an organization's spectators together take at most a fifth of the time of one connection to the database. */
export async function readInTurn<Result>(
  { actor, organizationId }: Reader,
  terms: readonly NarrowTerm[],
  read: () => Promise<Result>,
): Promise<Result> {
  const isSearch = terms.some(({ operator }) => operator === 'search')
  return isSpectator(actor) && isSearch ? searchInTurn(read, String(organizationId)) : read()
}

function visibleChannelOperand(asker: Asker, operand: Operand): number | undefined {
  try {
    return channelOperand(asker, operand)
  } catch (error) {
    // An unknown channel counts as out of scope.
    if (error instanceof ApiError) return undefined
    throw error
  }
}

const CONVERSATION_OPERATORS = ['channel', 'stream', 'topic', 'subject', 'dm', 'pm-with', 'pm_with']

/** Resolves `with`: if the reader can see its message, the narrow changes to that message's conversation. */
async function resolveWithOperator(
  reader: Reader,
  asker: Asker,
  terms: readonly NarrowTerm[],
): Promise<{ terms: readonly NarrowTerm[]; conditions: Condition[] }> {
  const asked = terms.filter((term) => term.operator === 'with')
  const [first] = asked
  if (first === undefined) return { terms, conditions: [] }
  if (asked.length > 1 || first.negated) throw invalidNarrowError("'with' can be said once, and not negated")
  const messageId = messageOperand(asker, first.operand)
  const rest = terms.filter((term) => term !== first)
  const isPlace = ({ operator, negated }: NarrowTerm): boolean => CONVERSATION_OPERATORS.includes(operator) && !negated
  const place = await topicAndChannelOf(reader, messageId)
  if (place === undefined) {
    if (!rest.some(isPlace)) throw invalidNarrowError("unknown 'with' message")
    return { terms: rest, conditions: [] }
  }
  const conversation: MessageTest = {
    about: 'place',
    sql: (bind, at) => `${at.topic} = ${bind(place.topicId)}::bigint`,
    source: { kind: 'topic', rank: 1 },
  }
  const channel =
    place.channelId === null ? [] : [{ operator: 'channel', operand: place.channelId, negated: false } as const]
  return {
    terms: [...channel, ...rest.filter((term) => !isPlace(term))],
    conditions: [{ question: conversation, negated: false }],
  }
}

/** Resolves names only once, so that renaming a channel does not change the narrow. @throws ApiError BAD_NARROW */
export function resolveQueueNarrow(asker: Asker, pairs: readonly (readonly [string, string])[]): ResolvedTerm[] {
  const terms = pairs.map(([operator, operand]) => ({ operator, operand, negated: false }))
  const resolved = resolveNarrow(asker, terms)
  for (const [index, { question }] of conditionsForTerms(resolved).entries()) {
    if (question.matches === undefined) throw invalidNarrowError(`${pairs[index]?.join(':')} is not for events`)
  }
  return resolved
}

export function channelNarrow(id: number): ResolvedTerm[] {
  return [{ operator: 'channel', value: { id, part: 'none' }, negated: false }]
}

const conditionsByRegistration = new WeakMap<Registration, readonly Condition[]>()

export function conditionsOfQueue(registration: Registration): readonly Condition[] {
  let conditions = conditionsByRegistration.get(registration)
  if (conditions === undefined) {
    conditions = conditionsForTerms(registration.narrow)
    conditionsByRegistration.set(registration, conditions)
  }
  return conditions
}

export interface HighlightedMessage {
  readonly html: string
  readonly text: string
}

export async function highlightMessages(
  reader: Reader,
  conditions: readonly Condition[],
  messages: readonly { readonly html: string; readonly text: string }[],
): Promise<HighlightedMessage[]> {
  const { clauses, isForm } = searchOf(conditions) ?? searchTest([])
  const pause = createYielder(turnOwner(reader.organizationId, reader.actor.userId))
  const found: HighlightedMessage[] = []
  for (const { html, text } of messages) {
    found.push({
      html: markMatches(html, searchTermsOfHtml(html), clauses, isForm, (part) => part),
      text: markMatches(text, searchTermsOf(text), clauses, isForm, escapeHtml),
    })
    await pause()
  }
  return found
}
