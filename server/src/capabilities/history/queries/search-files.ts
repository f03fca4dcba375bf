import { markMatches } from '../../../kernel/search-marks.ts'
import { placesOf, type IsForm, type SearchClause } from '../../../kernel/search-query.ts'
import { searchTermsOf } from '../../../kernel/search-terms.ts'
import { createYielder, turnOwner } from '../../../kernel/pauses.ts'
import type { Reader } from '../../../kernel/transaction.ts'
import { escapeHtml } from '../../../platform/markdown/escape.ts'
import type { MatchingFile } from '../contract.ts'
import { reachableChannelIds } from '../rules.ts'
import type { BindParameter } from './questions.ts'

/* A message is also found by the text of the files that it links to. */

/** Up to this many matching parts of texts, the files are looked up before the messages. */
const MAX_MATCHING_PARTS = 10_000

export interface TermsQuery {
  /** Text search query that all matching texts match; null if there is none. */
  readonly query: string | null
  /** Regular expression for `terms_text`, which matching texts also match; null if the query suffices. */
  readonly pattern: string | null
}

export interface FileQuery extends TermsQuery {
  /** Matching files; null if the files of each message are compared instead, which finds the same messages. */
  readonly fileIds: readonly number[] | null
}

export function termsSql({ query, pattern }: TermsQuery, bind: BindParameter, terms: string): string {
  return [
    // The subquery is parsed once, not for each message.
    ...(query === null ? [] : [`${terms} @@ (select ${bind(query)}::text::tsquery)`]),
    ...(pattern === null ? [] : [`terms_text(${terms}) ~ ${bind(pattern)}::text`]),
  ].join(' and ')
}

const FILES_WITH_TERMS = `
  select case when not exists (select from attachment_texts where organization_id = $1) then '{}'
    when asked.query is not null then files_with_terms($1, $2, $3, asked.query::tsquery, ${MAX_MATCHING_PARTS}) end as ids
  from unnest($4::text[]) with ordinality as asked(query, number) order by number`

/** Returns the `fileIds` of each query. */
export async function findFiles(reader: Reader, queries: readonly TermsQuery[]): Promise<(readonly number[] | null)[]> {
  const rows = await reader.db.rows<{ ids: number[] | null }>('files_with_terms', FILES_WITH_TERMS, [
    reader.organizationId,
    reader.actor.userId,
    reachableChannelIds(reader),
    queries.map(({ query, pattern }) => (pattern === null ? query : null)),
  ])
  return rows.map(({ ids }) => ids)
}

/** Condition on a message `m`; undefined if no file matches. `$1` is the organization. */
export function linksFileSql(query: FileQuery, bind: BindParameter): string | undefined {
  if (query.fileIds?.length === 0) return undefined
  return query.fileIds === null
    ? `exists (
        select from attachment_messages l
        join attachment_texts t on t.organization_id = l.organization_id and t.attachment_id = l.attachment_id
        where l.organization_id = $1 and l.message_id = m.id and ${termsSql(query, bind, 't.terms')})`
    : `m.id in (
        select l.message_id from attachment_messages l
        where l.organization_id = $1 and l.attachment_id = any(${bind(query.fileIds)}::bigint[]))`
}

/** Returns at most `most + 1` messages that link to the files. */
export async function messagesLinkingTo(
  { db, organizationId }: Reader,
  fileIds: readonly number[],
  most: number,
): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(
    'messages_linking_to',
    `select message_id as id from attachment_messages
     where organization_id = $1 and attachment_id = any($2::bigint[]) limit $3`,
    [organizationId, fileIds, most + 1],
  )
  return rows.map(({ id }) => id)
}

interface PreparedSearch {
  readonly clauses: readonly SearchClause[]
  readonly isForm: IsForm
  readonly queries: readonly FileQuery[]
}

/** Limited, because each excerpt takes up to 1 ms. */
const MAX_EXCERPTS = 1_000

/** Returns the linked files that match at least a part of the search, by message. The messages must be readable. */
export async function readMatchingFiles(
  { db, organizationId, actor }: Reader,
  { clauses, isForm, queries }: PreparedSearch,
  messageIds: readonly number[],
): Promise<ReadonlyMap<number, MatchingFile[]>> {
  const byMessage = new Map<number, MatchingFile[]>()
  const asked = queries.filter(({ fileIds }) => fileIds?.length !== 0)
  if (asked.length === 0 || messageIds.length === 0) return byMessage
  const values: unknown[] = [organizationId, messageIds]
  const bind: BindParameter = (value) => `$${values.push(value)}`
  const known = asked.flatMap(({ fileIds }) => fileIds ?? [])
  const isKnown = asked.every(({ fileIds }) => fileIds !== null)
  const rows = await db.rows<{ messageId: number; pathId: string; name: string; content: string }>(
    '',
    `select l.message_id as "messageId", a.path_id as "pathId", a.name, found.content
     from attachment_messages l
     join attachments a on a.organization_id = l.organization_id and a.id = l.attachment_id
     cross join lateral (
       select t.content from attachment_texts t
       where t.organization_id = l.organization_id and t.attachment_id = l.attachment_id
       and (${asked.map((query) => `(${termsSql(query, bind, 't.terms')})`).join(' or ')})
       order by t.part limit 1) found
     where l.organization_id = $1 and l.message_id = any($2::bigint[])
     ${isKnown ? `and l.attachment_id = any(${bind(known)}::bigint[])` : ''}
     order by l.message_id desc, l.attachment_id limit ${MAX_EXCERPTS}`,
    values,
  )
  const pause = createYielder(turnOwner(organizationId, actor.userId))
  for (const { messageId, pathId, name, content } of rows) {
    const file = { path_id: pathId, name, match_content: excerptOf(content, clauses, isForm) }
    byMessage.set(messageId, [...(byMessage.get(messageId) ?? []), file])
    await pause()
  }
  return byMessage
}

const EXCERPT_CHARACTERS = { before: 60, all: 240 }

/** Returns the surroundings of the first match as HTML. */
function excerptOf(content: string, clauses: readonly SearchClause[], isForm: IsForm): string {
  const terms = searchTermsOf(content)
  const [at = 0] = clauses.flatMap((clause) => placesOf(clause, terms, isForm)).toSorted((a, b) => a - b)
  const { start: found, end: foundEnd } = terms[at] ?? { start: 0, end: 0 }
  const start = terms.find((term) => term.start >= found - EXCERPT_CHARACTERS.before)?.start ?? 0
  const last = terms.findLast((term) => term.end <= start + EXCERPT_CHARACTERS.all)
  const end = Math.max(foundEnd, last?.end ?? 0)
  const text = content.slice(start, end)
  const marked = markMatches(text, searchTermsOf(text), clauses, isForm, escapeHtml)
  return `${start > 0 ? '…' : ''}${marked}${end < content.length ? '…' : ''}`
}

/** Returns those of the words that files which the messages link to have. */
export async function wordsInFiles(
  { db, organizationId }: Reader,
  messageIds: readonly number[],
  words: readonly string[],
): Promise<string[]> {
  const rows = await db.rows<{ word: string }>(
    'words_in_files',
    `select word from unnest($3::text[]) as word where exists (
       select from attachment_messages l
       join attachment_texts t on t.organization_id = l.organization_id and t.attachment_id = l.attachment_id
       where l.organization_id = $1 and l.message_id = any($2::bigint[]) and t.terms @@ quote_literal(word)::tsquery)`,
    [organizationId, messageIds, words],
  )
  return rows.map(({ word }) => word)
}
