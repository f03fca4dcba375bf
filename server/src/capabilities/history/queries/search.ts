import { parseSearch, type IsForm, type SearchClause } from '../../../kernel/search-query.ts'
import type { Output } from '../../../kernel/endpoint.ts'
import { isSpectator } from '../../../kernel/actor.ts'
import type { Reader } from '../../../kernel/transaction.ts'
import { channelsProjection, subscriptionsProjection } from '../../channels/queries/index.ts'
import { searchLanguagesOf } from '../../organizations/queries/search-languages.ts'
import type * as contract from '../contract.ts'
import { hidesNames } from '../../users/queries/public-names.ts'
import { firstPublishedPosition, reachableChannelIds } from '../rules.ts'
import { invalidNarrowError } from './operands.ts'
import type { BindParameter, Condition, LocationColumns, MessageTest } from './questions.ts'
import {
  findPublicMatches,
  MENTIONS_SQL,
  prepareClauses,
  type PreparedClause,
  type PreparedClauses,
  type SearchedRange,
} from './search-clauses.ts'
import { linksFileSql, messagesLinkingTo, termsSql } from './search-files.ts'

export const MAX_SEARCH_WORDS = 50
/** Each character of a script without spaces is a term, and adds a level of nesting to the database query. */
const MAX_SEARCH_TERMS = 200
/** Up to this many matches are checked one by one. If there are more, scanning messages is fast enough. */
const MAX_CANDIDATE_MESSAGES = 20_000
/** Above this estimate, matches are not even counted: counting 20,000 took 180 ms. */
const MAX_ESTIMATED_CANDIDATES = 2 * MAX_CANDIDATE_MESSAGES
/** From these estimates on, the nearest messages probably have enough matches. Reading all 7,000 matches took 90 ms. */
const MIN_FREQUENT_CANDIDATES = 1_000
const MIN_FREQUENT_SHARE = 1 / 500

export interface SearchTest extends MessageTest {
  readonly clauses: readonly SearchClause[]
  readonly isForm: IsForm
  /** Absent in a test that cannot ask the database yet. */
  readonly prepared?: PreparedClauses
}

export function isSearchTest(question: MessageTest): question is SearchTest {
  return 'clauses' in question
}

/** @throws ApiError BAD_NARROW for too many words */
export function parseClauses(text: string): SearchClause[] {
  const clauses = parseSearch(text)
  const parts = clauses.flatMap((clause) => clause.parts)
  const words = parts.filter(({ kind }) => kind === 'word')
  if (words.length > MAX_SEARCH_WORDS || parts.length > MAX_SEARCH_TERMS)
    throw invalidNarrowError(`a search has at most ${MAX_SEARCH_WORDS} words`)
  return clauses
}

/** `prepareSearches` replaces this test by one that can ask the database. */
export function searchTest(clauses: readonly SearchClause[]): SearchTest {
  return {
    clauses,
    isForm: () => false,
    about: 'message',
    sql: () => {
      throw new Error('the search is not prepared')
    },
  }
}

/** Joins tests that must all be met. A search without words matches nothing. */
export function mergeSearchTests(tests: readonly SearchTest[]): SearchTest {
  const hasEmpty = tests.some(({ clauses }) => clauses.length === 0)
  return searchTest(hasEmpty ? [] : tests.flatMap(({ clauses }) => clauses))
}

type Source = MessageTest['source']

/** @param main the test through which to find messages */
export async function prepareSearches(
  reader: Reader,
  main: SearchTest | undefined,
  others: readonly SearchTest[],
): Promise<{ main: SearchTest | undefined; others: SearchTest[] }> {
  const all = [...(main === undefined ? [] : [main]), ...others]
  const prepared = await prepareClauses(
    reader,
    all.flatMap(({ clauses }) => clauses),
  )
  return {
    main: main && (await searchThrough(reader, main.clauses, prepared)),
    others: others.map(({ clauses }) => preparedTest(clauses, prepared)),
  }
}

/** Returns a test through which messages can be found. */
export async function searchThrough(
  reader: Reader,
  clauses: readonly SearchClause[],
  prepared: PreparedClauses,
): Promise<SearchTest> {
  const test = preparedTest(clauses, prepared)
  // Spectators' searches read the messages of web-public channels one by one: an index would count all messages.
  if (isSpectator(reader.actor)) return test
  return { ...test, source: await sourceOf(reader, test, compile(clauses, prepared)) }
}

function preparedTest(clauses: readonly SearchClause[], prepared: PreparedClauses): SearchTest {
  return {
    ...searchTest(clauses),
    isForm: prepared.isForm,
    prepared,
    sql: (bind, at) => searchSql(compile(clauses, prepared), bind, at),
  }
}

/** A spectator's search tests messages one by one, which takes 20 ms for so many. It reads up to twice as many. */
const SPECTATOR_SEARCH_POSITIONS = 50_000

/** Returns the positions that a search reads around the anchor. They are rounded, to tell less of hidden activity. */
export function searchedRange(
  { organization, actor }: Reader,
  conditions: readonly Condition[],
  anchor: number,
): SearchedRange | undefined {
  if (!isSpectator(actor) || !conditions.some(({ question }) => isSearchTest(question))) return undefined
  const first = firstPublishedPosition(organization)
  const newest = organization.position
  const block = (position: number): number => Math.floor(position / SPECTATOR_SEARCH_POSITIONS)
  const from = (block(Math.min(anchor, newest)) - 1) * SPECTATOR_SEARCH_POSITIONS
  const to = (block(Math.max(anchor, first)) + 2) * SPECTATOR_SEARCH_POSITIONS
  return { ...(from < first ? {} : { from }), ...(to > newest ? {} : { to }) }
}

/** Excludes what a spectator's search would find only by hidden names of people. */
export async function withoutHiddenNames(
  reader: Reader,
  conditions: readonly Condition[],
  range: SearchedRange,
): Promise<readonly Condition[]> {
  if (!hidesNames(reader.organization)) return conditions
  const changed: Condition[] = []
  for (const condition of conditions) {
    const { question } = condition
    changed.push(
      isSearchTest(question) ? { ...condition, question: await withPublicMatches(reader, question, range) } : condition,
    )
  }
  return changed
}

async function withPublicMatches(
  reader: Reader,
  { clauses, prepared }: SearchTest,
  range: SearchedRange,
): Promise<SearchTest> {
  if (prepared === undefined) throw new Error('the search is not prepared')
  const known = new Map(prepared.clauses)
  for (const clause of clauses) {
    const query = prepared.clauses.get(clause)
    if (query === undefined) continue
    known.set(clause, { ...query, publicMatches: await findPublicMatches(reader, clause, query, range) })
  }
  return preparedTest(clauses, { ...prepared, clauses: known })
}

function compile(clauses: readonly SearchClause[], prepared: PreparedClauses): PreparedClause[] {
  return clauses.flatMap((clause) => prepared.clauses.get(clause) ?? [])
}

/** Returns the queries of a prepared test. */
export function queriesOf({ clauses, prepared }: SearchTest): PreparedClause[] {
  return prepared === undefined ? [] : compile(clauses, prepared)
}

function searchSql(clauses: readonly PreparedClause[], bind: BindParameter, at: LocationColumns): string {
  if (clauses.length === 0) return 'false'
  return clauses.map((clause) => clauseSql(clause, bind, at)).join(' and ')
}

function clauseSql(clause: PreparedClause, bind: BindParameter, at: LocationColumns): string {
  const inFile = linksFileSql(clause, bind)
  const ways = [
    textSql(clause, bind),
    ...(clause.topicIds.length === 0 ? [] : [`${at.topic} = any(${bind(clause.topicIds)}::bigint[])`]),
    ...(inFile === undefined ? [] : [inFile]),
  ]
  return `(${ways.join(' or ')})`
}

function textSql(clause: PreparedClause, bind: BindParameter): string {
  const matches = termsSql(clause, bind, 'm.terms')
  if (clause.publicMatches === undefined) return matches
  return `${matches} and (not ${MENTIONS_SQL} or m.id = any(${bind(clause.publicMatches)}::bigint[]))`
}

async function sourceOf(reader: Reader, test: SearchTest, clauses: readonly PreparedClause[]): Promise<Source> {
  if (clauses.length === 0) return { kind: 'ids', sql: () => 'select null::bigint as id where false', rank: 0 }
  const asked = askedOf(clauses)
  const scan: Source = receivesFewMessages(reader) ? undefined : { kind: 'row', rank: 8 }
  if (asked.clauses.length === 0) return scan
  const { matches, messages } = await estimateMatches(reader, asked.clauses)
  if (matches > MAX_ESTIMATED_CANDIDATES) return scan
  const find = async (): Promise<Source> => {
    const ids = await findCandidates(reader, asked)
    return ids === null ? scan : { kind: 'ids', sql: (bind) => `select unnest(${bind(ids)}::bigint[]) as id`, rank: 0 }
  }
  return matches < Math.max(MIN_FREQUENT_CANDIDATES, MIN_FREQUENT_SHARE * messages)
    ? find()
    : { kind: 'nearest', rest: async () => ({ ...test, source: await find() }), rank: 0 }
}

/** Which messages to look up: those that meet all clauses, those in the topics, and those that link to the files. */
interface AskedClauses {
  readonly clauses: readonly PreparedClause[]
  readonly topicIds: readonly number[]
  readonly fileIds: readonly number[]
}

/**
 * Returns what is sure to include all matches. Clauses that match no topic and no file must match the text. If there are
 * none, a match is in one of the topics, or links to one of the files, or its text matches all clauses, of which those with
 * too many files are not needed.
 */
function askedOf(clauses: readonly PreparedClause[]): AskedClauses {
  const inText = clauses.filter(({ topicIds, fileIds }) => topicIds.length === 0 && fileIds?.length === 0)
  const chosen = inText.length > 0 ? inText : clauses.filter(({ fileIds }) => fileIds !== null)
  return {
    clauses: chosen.filter(({ query }) => query !== null),
    topicIds: [...new Set(chosen.flatMap(({ topicIds }) => topicIds))],
    fileIds: [...new Set(chosen.flatMap(({ fileIds }) => fileIds ?? []))],
  }
}

async function estimateMatches(
  { db }: Reader,
  clauses: readonly PreparedClause[],
): Promise<{ matches: number; messages: number }> {
  const [row] = await db.rows<{ estimate: number[]; total: number }>(
    'term_frequencies',
    `select term_frequencies($1::jsonb) as estimate, (select reltuples from pg_class where oid = 'messages'::regclass) as total`,
    [JSON.stringify(clauses.flatMap(({ alternatives }) => alternatives))],
  )
  return { matches: row === undefined ? 0 : estimatedMatches(clauses, row), messages: row?.total ?? 0 }
}

/**
 * Returns few messages in channels and conversations of the reader that are sure to include all matches, or null if there
 * are too many.
 */
async function findCandidates(
  reader: Reader,
  { clauses, topicIds, fileIds }: AskedClauses,
): Promise<readonly number[] | null> {
  const linking = fileIds.length === 0 ? [] : await messagesLinkingTo(reader, fileIds, MAX_CANDIDATE_MESSAGES)
  if (linking.length > MAX_CANDIDATE_MESSAGES) return null
  const query = clauses.map((clause) => `(${clause.query})`).join(' & ')
  const [found] = await reader.db.rows<{ ids: number[] | null }>(
    'messages_with_terms',
    'select messages_with_terms($1, $2, $3::bigint[], $4::text::tsquery, $5::bigint[], $6) as ids',
    [reader.organizationId, reader.actor.userId, reachableChannelIds(reader), query, topicIds, MAX_CANDIDATE_MESSAGES],
  )
  const ids = found?.ids ?? null
  return ids && [...new Set([...ids, ...linking])]
}

/** Words are more often together than by chance, so the estimate of several words is too low rather than too high. */
function estimatedMatches(
  clauses: readonly PreparedClause[],
  { estimate, total }: { readonly estimate: readonly number[]; readonly total: number },
): number {
  let at = 0
  const fractions = clauses.map(({ alternatives }) => {
    const own = estimate.slice(at, (at += alternatives.length))
    return Math.min(1, ...own)
  })
  return fractions.reduce((product, fraction) => product * fraction, Math.max(0, total))
}

export function getSearchSettings({ organization }: Reader): Output<typeof contract.getSearchSettings> {
  return {
    languages: searchLanguagesOf(organization)
      .split(',')
      .filter((code) => code !== ''),
  }
}

const CHANNELS_PER_SUBSCRIPTION = 20

/** With 1 in 200 channels subscribed, searching only those takes 10 ms, not 1.4 s; with 1 in 40, 110 ms, not 8 ms. */
function receivesFewMessages({ organization, actor }: Reader): boolean {
  const mine = organization.of(subscriptionsProjection).byUser.get(actor.userId)
  return (mine?.size ?? 0) * CHANNELS_PER_SUBSCRIPTION <= organization.of(channelsProjection).byId.size
}
