import { parseSearch, type IsForm, type SearchClause } from '../../../kernel/search-query.ts'
import type { Output } from '../../../kernel/endpoint.ts'
import type { Reader } from '../../../kernel/transaction.ts'
import { channelsProjection, subscriptionsProjection } from '../../channels/queries/index.ts'
import { searchLanguagesOf } from '../../organizations/queries/search-languages.ts'
import type * as contract from '../contract.ts'
import { reachableChannelIds } from '../rules.ts'
import { invalidNarrowError } from './operands.ts'
import type { BindParameter, LocationColumns, MessageTest } from './questions.ts'
import { prepareClauses, type PreparedClause, type PreparedClauses } from './search-clauses.ts'

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

function compile(clauses: readonly SearchClause[], prepared: PreparedClauses): PreparedClause[] {
  return clauses.flatMap((clause) => prepared.clauses.get(clause) ?? [])
}

function searchSql(clauses: readonly PreparedClause[], bind: BindParameter, at: LocationColumns): string {
  if (clauses.length === 0) return 'false'
  return clauses.map((clause) => clauseSql(clause, bind, at)).join(' and ')
}

function clauseSql({ query, pattern, topicIds }: PreparedClause, bind: BindParameter, at: LocationColumns): string {
  const inText = [
    // The subquery is parsed once, not for each message.
    ...(query === null ? [] : [`m.terms @@ (select ${bind(query)}::text::tsquery)`]),
    ...(pattern === null ? [] : [`terms_text(m.terms) ~ ${bind(pattern)}::text`]),
  ].join(' and ')
  return topicIds.length === 0 ? `(${inText})` : `(${inText} or ${at.topic} = any(${bind(topicIds)}::bigint[]))`
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

interface AskedClauses {
  readonly clauses: readonly PreparedClause[]
  readonly topicIds: readonly number[]
}

/**
 * Returns clauses that all matches outside the topics meet. Clauses that match no topic must match the text. If there are
 * none, a match is in one of the topics, or its text matches all clauses.
 */
function askedOf(clauses: readonly PreparedClause[]): AskedClauses {
  const unplaced = clauses.filter(({ topicIds }) => topicIds.length === 0)
  return {
    clauses: (unplaced.length === 0 ? clauses : unplaced).filter(({ query }) => query !== null),
    topicIds: unplaced.length === 0 ? [...new Set(clauses.flatMap(({ topicIds }) => topicIds))] : [],
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
async function findCandidates(reader: Reader, { clauses, topicIds }: AskedClauses): Promise<readonly number[] | null> {
  const query = clauses.map((clause) => `(${clause.query})`).join(' & ')
  const [found] = await reader.db.rows<{ ids: number[] | null }>(
    'messages_with_terms',
    'select messages_with_terms($1, $2, $3::bigint[], $4::text::tsquery, $5::bigint[], $6) as ids',
    [reader.organizationId, reader.actor.userId, reachableChannelIds(reader), query, topicIds, MAX_CANDIDATE_MESSAGES],
  )
  return found?.ids ?? null
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
