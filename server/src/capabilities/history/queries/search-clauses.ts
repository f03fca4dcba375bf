import { placesOf, type IsForm, type SearchClause, type SearchPart } from '../../../kernel/search-query.ts'
import { searchTermsOf, type SearchTerm } from '../../../kernel/search-terms.ts'
import { searchTermsOfHtml } from '../../../kernel/search-marks.ts'
import { createYielder, turnOwner } from '../../../kernel/pauses.ts'
import { isSpectator } from '../../../kernel/actor.ts'
import type { Reader } from '../../../kernel/transaction.ts'
import { searchLanguagesOf } from '../../organizations/queries/search-languages.ts'
import { withPublicNames } from '../../users/queries/public-names.ts'
import { reachableChannelIds, receivedOrReadableSql } from '../rules.ts'
import type { BindParameter } from './questions.ts'
import { findFiles, termsSql, type FileQuery } from './search-files.ts'

/* Looks up the words that a search can match in the organization's dictionary, and asks the index for those. */

/** A part that more words match is compared with the terms of each message instead. */
const MAX_ALTERNATIVES = 300
/** A prefix of more words is asked for as a prefix, which takes the index much longer than asking for the words. */
const MAX_LISTED_WORDS = 30
/** Number of new topics whose names are compared one by one, because they are not in the index yet. */
const MAX_NEW_TOPICS = 1_000

export interface PreparedClause extends FileQuery {
  /** Terms that the query contains, one of each list. */
  readonly alternatives: readonly (readonly string[])[]
  readonly topicIds: readonly number[]
  /** Messages with mentions that match with the public names of people; absent if all names are public. */
  readonly publicMatches?: readonly number[]
}

export interface PreparedClauses {
  readonly clauses: ReadonlyMap<SearchClause, PreparedClause>
  readonly isForm: IsForm
  readonly unindexed: UnindexedTexts
}

interface UnindexedTexts {
  readonly newTopics: readonly NewTopic[]
  /** Whether some messages are not in the index yet. */
  readonly isIncomplete: boolean
}

interface FoundWords {
  readonly contained: readonly string[]
  /** Longer words that begin with the text; undefined if they are unknown. */
  readonly begun?: readonly string[]
  readonly forms: ReadonlySet<string>
}

interface NewTopic {
  readonly id: number
  readonly terms: readonly SearchTerm[]
}

/** Results of earlier lookups, which are not repeated. */
export interface KnownForClauses {
  readonly unindexed: UnindexedTexts
  /** Replaces the forms of words, by the text of the part. */
  readonly forms: ReadonlyMap<string, ReadonlySet<string>>
}

export async function prepareClauses(
  reader: Reader,
  clauses: readonly SearchClause[],
  known?: KnownForClauses,
): Promise<PreparedClauses> {
  if (isSpectator(reader.actor)) return prepareWithoutDictionary(reader, clauses)
  const unindexed = known?.unindexed ?? (await readUnindexed(reader))
  const { newTopics } = unindexed
  const parts = clauses.flatMap((clause) => clause.parts)
  const words = await findWords(
    reader,
    parts.filter(({ text }) => known?.forms.has(text) !== true),
    newTopics.flatMap(({ terms }) => terms.map(({ text }) => text)),
  )
  for (const [text, forms] of known?.forms ?? []) words.set(text, { contained: [], forms })
  const isForm: IsForm = (part, term) => words.get(part.text)?.forms.has(term) === true
  const queries = clauses.map((clause) => queryOf(clause, words))
  const [topics, files] = await Promise.all([findTopics(reader, queries), findFiles(reader, queries)])
  const prepared = clauses.map((clause, index): [SearchClause, PreparedClause] => {
    const fresh = newTopics.filter(({ terms }) => placesOf(clause, terms, isForm).length > 0)
    const topicIds = [...(topics[index] ?? []), ...fresh.map(({ id }) => id)]
    return [clause, { ...queryOf(clause, words), topicIds, fileIds: files[index] ?? null }]
  })
  return { clauses: new Map(prepared), isForm, unindexed }
}

const SOME_UNINDEXED = 'exists (select from messages where organization_id = $1 and terms is null)'

/**
 * The dictionary has words of messages that spectators cannot read, so the time that it takes would tell of them.
 * Without it, words are found by their beginning.
 */
async function prepareWithoutDictionary(reader: Reader, clauses: readonly SearchClause[]): Promise<PreparedClauses> {
  // Of any channel, because the time for finding those of web-public channels would tell of the others.
  const [row] = await reader.db.rows<{ isIncomplete: boolean }>(
    'unindexed_for_spectators',
    `select ${SOME_UNINDEXED} as "isIncomplete"`,
    [reader.organizationId],
  )
  const prepared = clauses.map((clause): [SearchClause, PreparedClause] => [
    clause,
    { ...queryOf(clause, new Map()), topicIds: [], fileIds: [] },
  ])
  return {
    clauses: new Map(prepared),
    isForm: () => false,
    unindexed: { newTopics: [], isIncomplete: row?.isIncomplete === true },
  }
}

/** Testing so many messages takes up to 100 ms. Spectators find no older ones that mention people. */
const MAX_PUBLIC_MATCHES = 1_000

/** Positions between which a search reads messages; absent where it reads all. */
export interface SearchedRange {
  readonly from?: number
  readonly to?: number
}

export function rangeSql({ from, to }: SearchedRange, bind: BindParameter): string[] {
  return [
    ...(from === undefined ? [] : [`m.id >= ${bind(from)}::bigint`]),
    ...(to === undefined ? [] : [`m.id <= ${bind(to)}::bigint`]),
  ]
}

/** Condition that a message `m` mentions people, whose names are in the index. */
export const MENTIONS_SQL = `m.rendered_content like '%<span class="user-mention%'`

/** Looks for the clause in messages that mention people, as spectators see them: the index has the names of members. */
export async function findPublicMatches(
  reader: Reader,
  clause: SearchClause,
  query: PreparedClause,
  range: SearchedRange,
): Promise<number[]> {
  const values: unknown[] = [reader.organizationId, MAX_PUBLIC_MATCHES]
  const bind: BindParameter = (value) => `$${values.push(value)}`
  const rows = await reader.db.rows<{ id: number; html: string }>(
    '',
    `select m.id, m.rendered_content as html from messages m
     where m.organization_id = $1 and ${[...rangeSql(range, bind), receivedOrReadableSql(reader, [], bind)].join(' and ')}
     and ${termsSql(query, bind, 'm.terms')} and ${MENTIONS_SQL} order by m.id desc limit $2`,
    values,
  )
  const pause = createYielder(turnOwner(reader.organizationId, reader.actor.userId))
  const found: number[] = []
  for (const { id, html } of rows) {
    const terms = searchTermsOfHtml(withPublicNames(reader.organization, html))
    if (placesOf(clause, terms, () => false).length > 0) found.push(id)
    await pause()
  }
  return found
}

const UNINDEXED = `
  select ${SOME_UNINDEXED}
    or coalesce((select min(languages) from search_words where organization_id = $1) < $2, false)
    or coalesce((select max(languages) from search_words where organization_id = $1) > $2, false) as "isIncomplete",
    (select json_agg(json_build_array(id, name_key)) from (
       select t.id, t.name_key from topic_words w join topics t on t.organization_id = $1 and t.id = w.topic_id
       where w.organization_id = $1 and w.terms is null and t.channel_id = any($3::bigint[])
       order by w.topic_id desc limit ${MAX_NEW_TOPICS + 1}) w) as topics`

async function readUnindexed(reader: Reader): Promise<UnindexedTexts> {
  const [row] = await reader.db.rows<{ isIncomplete: boolean; topics: [id: number, name: string][] | null }>(
    'unindexed_for_search',
    UNINDEXED,
    [reader.organizationId, searchLanguagesOf(reader.organization), reachableChannelIds(reader)],
  )
  const topics = row?.topics ?? []
  return {
    newTopics: topics.slice(0, MAX_NEW_TOPICS).map(([id, name]) => ({ id, terms: searchTermsOf(name) })),
    isIncomplete: row?.isIncomplete === true || topics.length > MAX_NEW_TOPICS,
  }
}

const FORMS_AMONG = `
  with other as materialized (select word, word_stems(word, $2) as stems from unnest($3::text[]) as word)
  select array(select other.word from other where other.stems && word_stems(asked.word, $2)) as forms
  from unnest($1::text[]) with ordinality as asked(word, number) order by number`

/** Returns the words to look for by the text of the part. */
async function findWords(
  { db, organization, organizationId }: Reader,
  parts: readonly SearchPart[],
  others: readonly string[],
): Promise<Map<string, FoundWords>> {
  const sought = new Map(parts.filter(({ hasForms }) => hasForms).map((part) => [part.text, part]))
  // Of several parts with the same text, the most open one decides. The others filter its words.
  for (const part of parts) if (part.opensLeft) sought.set(part.text, part)
  if (sought.size === 0) return new Map()
  const texts = [...sought.keys()]
  const languages = searchLanguagesOf(organization)
  const patterns = [...sought.values()].map(({ text, opensLeft }) => (opensLeft ? `_%${text}%` : null))
  const rows = await db.rows<{ contained: string[]; begun: string[]; forms: string[] }>(
    'search_forms',
    'select * from search_forms($1, $2, $3::text[], $4::text[], $5)',
    [organizationId, languages, texts, patterns, MAX_ALTERNATIVES + 1],
  )
  const among =
    others.length === 0
      ? []
      : await db.rows<{ forms: string[] }>('forms_among', FORMS_AMONG, [texts, languages, [...new Set(others)]])
  return new Map(
    texts.map((text, index) => [
      text,
      {
        contained: rows[index]?.contained ?? [],
        begun: rows[index]?.begun ?? [],
        forms: new Set([...(rows[index]?.forms ?? []), ...(among[index]?.forms ?? [])]),
      },
    ]),
  )
}

type ClauseQuery = Pick<PreparedClause, 'query' | 'pattern' | 'alternatives'>

/** Terms consist of letters, digits, and marks, so they need no escaping. */
function queryOf({ parts }: SearchClause, words: ReadonlyMap<string, FoundWords>): ClauseQuery {
  const alternatives = parts.map((part) => alternativesOf(part, words.get(part.text)))
  const narrow = alternatives.flatMap((terms) => (terms === undefined ? [] : [terms]))
  const isNarrow = narrow.length === parts.length
  const queries = narrow.map((terms) => (terms.length === 1 ? terms.join() : `(${terms.join(' | ')})`))
  return {
    query: queries.length === 0 ? null : queries.join(isNarrow ? ' <-> ' : ' & '),
    pattern: isNarrow ? null : ` ${parts.map((part) => patternOf(part, words.get(part.text))).join(' ')} `,
    alternatives: narrow.map((terms) => terms.map((term) => term.slice(1, term.lastIndexOf("'")))),
  }
}

/** Returns operands of a text search query, or undefined if there are too many. */
function alternativesOf(part: SearchPart, found: FoundWords | undefined): string[] | undefined {
  const { text, opensLeft, opensRight, hasForms } = part
  const contained = opensLeft ? (found?.contained ?? []) : []
  if (contained.length > MAX_ALTERNATIVES) return undefined
  // The dictionary has no words of two characters.
  const begun = opensRight && [...text].length > 1 ? found?.begun : undefined
  const listed = begun !== undefined && begun.length <= MAX_LISTED_WORDS ? begun : undefined
  const others = new Set(opensRight ? contained : contained.filter((word) => word.endsWith(text)))
  for (const form of hasForms ? (found?.forms ?? []) : []) others.add(form)
  for (const word of listed ?? []) others.add(word)
  others.delete(text)
  return [`'${text}'${opensRight && listed === undefined ? ':*' : ''}`, ...[...others].map((word) => `'${word}'`)]
}

function patternOf(part: SearchPart, found: FoundWords | undefined): string {
  const { text, opensLeft, opensRight, hasForms } = part
  const rest = '[^ ]*'
  const own = `${opensLeft ? rest : ''}${text}${opensRight ? rest : ''}`
  return `(?:${[own, ...(hasForms ? (found?.forms ?? []) : [])].join('|')})`
}

const TOPICS_WITH_TERMS = `
  select array(
    select found.id from topics_with_terms($1, asked.query::tsquery, asked.pattern) as found (id)
    -- A join would read all topics.
    where (select t.channel_id from topics t where t.organization_id = $1 and t.id = found.id) = any($4::bigint[])) as ids
  from unnest($2::text[], $3::text[]) with ordinality as asked(query, pattern, number) order by number`

async function findTopics(reader: Reader, queries: readonly ClauseQuery[]): Promise<number[][]> {
  const rows = await reader.db.rows<{ ids: number[] }>('topics_with_terms', TOPICS_WITH_TERMS, [
    reader.organizationId,
    queries.map(({ query }) => query),
    queries.map(({ pattern }) => pattern),
    reachableChannelIds(reader),
  ])
  return rows.map(({ ids }) => ids)
}
