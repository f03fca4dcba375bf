import { isSpectator } from '../../../kernel/actor.ts'
import type { Reader } from '../../../kernel/transaction.ts'
import { receivedOrReadableSql, visibleChannelSql } from '../rules.ts'
import { notWithheldSql } from '../../messages/queries/stored.ts'
import {
  conditionSql,
  MESSAGE_COLUMNS,
  TOPIC_COLUMNS,
  type BindParameter,
  type Condition,
  type MessageSource,
} from './questions.ts'
import { OPERATORS, STATE_TESTS } from './operators.ts'
import { rangeSql, type SearchedRange } from './search-clauses.ts'

/* Scans the messages that match the condition with the fewest expected matches, until enough match all conditions. */

export interface AnchorNeighbors {
  readonly older: readonly number[]
  readonly exact: readonly number[]
  readonly newer: readonly number[]
}

/** Larger than all message IDs, as clients expect. The newest position itself would reveal hidden activity. */
export const MAX_ANCHOR = 10_000_000_000_000_000

/** Testing so many messages takes 20 ms. */
const MAX_NEAREST_POSITIONS = 50_000

interface SearchDirection {
  readonly compare: string
  readonly order: 'asc' | 'desc'
  readonly limit: string
  /** Position at which the messages near the anchor end. */
  readonly end: number
  readonly range?: SearchedRange
}

/** Starts a statement in which $1 is the organization and $2 the reader. */
function startStatement(reader: Reader): { bind: BindParameter; values: unknown[] } {
  const values: unknown[] = [reader.organizationId, reader.actor.userId]
  return {
    values,
    bind(value) {
      const known = values.indexOf(value, 2)
      return `$${(known === -1 ? values.push(value) - 1 : known) + 1}`
    },
  }
}

export async function findMessageIdsAround(
  reader: Reader,
  conditions: readonly Condition[],
  anchor: number,
  limits: { before: number; after: number },
  range: SearchedRange = {},
): Promise<AnchorNeighbors> {
  return searchNearestFirst(
    reader,
    conditions,
    async (asked) => readMessageIdsAround(reader, asked, anchor, limits, range),
    ({ older, newer }) => older.length === limits.before && (newer.length === limits.after || anchor === MAX_ANCHOR),
  )
}

/** If the chosen source has only the nearest messages and these do not suffice, reads again with all. */
async function searchNearestFirst<Result>(
  reader: Reader,
  conditions: readonly Condition[],
  read: (conditions: readonly Condition[]) => Promise<Result>,
  isEnough: (result: Result) => boolean,
): Promise<Result> {
  const found = await read(conditions)
  const chosen = chooseSearchPlan(reader, conditions)
  if (chosen?.source.kind !== 'nearest' || isEnough(found)) return found
  const question = await chosen.source.rest()
  return read(conditions.map((one) => (one === chosen.condition ? { question, negated: false } : one)))
}

async function readMessageIdsAround(
  reader: Reader,
  conditions: readonly Condition[],
  anchor: number,
  limits: { before: number; after: number },
  range: SearchedRange,
): Promise<AnchorNeighbors> {
  const { bind, values } = startStatement(reader)
  const position = `${bind(anchor)}::bigint`
  const start = Math.min(anchor, reader.organization.position) - MAX_NEAREST_POSITIONS
  const sides: Record<keyof AnchorNeighbors, SearchDirection> = {
    older: { compare: `< ${position}`, order: 'desc', limit: bind(limits.before), end: start, range },
    exact: { compare: `= ${position}`, order: 'asc', limit: '1', end: anchor + 1 },
    newer: {
      compare: `> ${position}`,
      order: 'asc',
      limit: bind(limits.after),
      end: anchor + MAX_NEAREST_POSITIONS,
      range,
    },
  }
  const parts = Object.entries(sides).map(
    ([side, window]) => `array(${nearestMatchesSql(reader, conditions, window, bind)}) as ${side}`,
  )
  const text = `${spansSql(reader, conditions, bind)} select ${parts.join(',\n')}`
  const [around] = await reader.db.rows<AnchorNeighbors>(statementName(text), text, values)
  if (around === undefined) throw new Error('a statement without a table answers with no row')
  return around
}

/** Planning a statement takes as long as running it, so up to this many statements stay prepared. */
const MAX_PREPARED_STATEMENTS = 24
const statementNames = new Map<string, string>()

function statementName(text: string): string {
  const known = statementNames.get(text)
  if (known !== undefined || statementNames.size >= MAX_PREPARED_STATEMENTS) return known ?? ''
  const name = `find_around_${statementNames.size}`
  statementNames.set(text, name)
  return name
}

export async function findFirstUnread(reader: Reader, conditions: readonly Condition[]): Promise<number | undefined> {
  const unread = { question: STATE_TESTS.unread(), negated: false }
  return findFirstSince(reader, [...conditions, unread], 0)
}

export async function findFirstSince(
  reader: Reader,
  conditions: readonly Condition[],
  position: number,
): Promise<number | undefined> {
  return searchNearestFirst(
    reader,
    conditions,
    async (asked) => readFirstSince(reader, asked, position),
    (id) => id !== undefined,
  )
}

async function readFirstSince(
  reader: Reader,
  conditions: readonly Condition[],
  position: number,
): Promise<number | undefined> {
  const { bind, values } = startStatement(reader)
  const end = position + MAX_NEAREST_POSITIONS
  const side: SearchDirection = { compare: `>= ${bind(position)}::bigint`, order: 'asc', limit: '1', end }
  const text = `${spansSql(reader, conditions, bind)} ${nearestMatchesSql(reader, conditions, side, bind)}`
  const [row] = await reader.db.rows<{ id: number }>('', text, values)
  return row?.id
}

export async function matchingIdsAmong(
  reader: Reader,
  conditions: readonly Condition[],
  ids: readonly number[],
): Promise<number[]> {
  const { bind, values } = startStatement(reader)
  const text = nearestByIdSql([`m.id = any(${bind(ids)}::bigint[])`, ...conditionsSql(conditions, bind)], {
    compare: '> 0',
    order: 'asc',
    limit: bind(ids.length),
  })
  return (await reader.db.rows<{ id: number }>('', text, values)).map((row) => row.id)
}

export async function topicAndChannelOf(
  reader: Reader,
  messageId: number,
): Promise<{ topicId: number; channelId: number | null } | undefined> {
  const { bind, values } = startStatement(reader)
  const asked = { question: OPERATORS.id.ask(messageId, { channelId: undefined }), negated: false }
  const [row] = await reader.db.rows<{ topicId: number; channelId: number | null }>(
    '',
    `select m.topic_id as "topicId", m.channel_id as "channelId" from messages m
     where m.organization_id = $1 and $2::bigint is not null
     and ${[...conditionsSql([asked], bind), receivedOrReadableSql(reader, [asked], bind)].join(' and ')}`,
    values,
  )
  return row
}

function conditionsSql(conditions: readonly Condition[], bind: BindParameter): string[] {
  return conditions.map((condition) => `(${conditionSql(condition, bind, MESSAGE_COLUMNS)})`)
}

interface SearchPlan {
  readonly source: MessageSource
  readonly condition: Condition
}

function chooseSearchPlan({ actor }: Reader, conditions: readonly Condition[]): SearchPlan | undefined {
  const sources = conditions
    .flatMap((condition) => {
      const { source } = condition.question
      if (source === undefined || condition.negated || (isSpectator(actor) && isFromAllChannels(source))) return []
      return [{ source, condition }]
    })
    .toSorted((a, b) => a.source.rank - b.source.rank)
  const [first] = sources
  // Scanning unread spans beats scanning a topic, which can have 100,000 messages, of which only a few are unread.
  const spans = sources.find(({ source }) => source.kind === 'spans')
  return first?.source.kind === 'topic' && spans !== undefined ? spans : first
}

/** Reading such a source takes spectators a time that depends on messages that they cannot read. */
function isFromAllChannels({ kind, rank }: NonNullable<Condition['question']['source']>): boolean {
  return kind === 'ids' || (kind === 'row' && rank > 0)
}

function spansSql(reader: Reader, conditions: readonly Condition[], bind: BindParameter): string {
  const source = chooseSearchPlan(reader, conditions)?.source
  if (source?.kind !== 'spans') return ''
  const topic = conditions.find(({ question, negated }) => question.source?.kind === 'topic' && !negated)
  const spans =
    topic === undefined
      ? source.sql
      : `select t.id, t.channel_id, t.name, span from topics t cross join lateral unnest(${source.ofTopic}) as span
         where t.organization_id = $1 and $2::bigint is not null and ${conditionSql(topic, bind, TOPIC_COLUMNS)}`
  return `with looked_through as materialized (${spans})`
}

function nearestMatchesSql(
  reader: Reader,
  conditions: readonly Condition[],
  side: SearchDirection,
  bind: BindParameter,
): string {
  const chosen = chooseSearchPlan(reader, conditions)
  if (chosen === undefined) return receivedMessagesSql(reader, conditions, side, bind)
  const { source, condition } = chosen
  const rest = conditions.filter((one) => one !== condition)
  const reach = [...rangeSql(side.range ?? {}, bind), receivedOrReadableSql(reader, conditions, bind)].join(' and ')
  switch (source.kind) {
    case 'row':
    case 'topic':
      return nearestByIdSql([...conditionsSql(conditions, bind), reach], side)
    case 'nearest':
      return nearestByIdSql(
        [
          `m.id ${side.order === 'desc' ? '>' : '<'} ${bind(side.end)}::bigint`,
          ...conditionsSql(conditions, bind),
          reach,
        ],
        side,
      )
    case 'ids':
      // Tests the nearest first, until there are enough.
      return `select i.id from (select id from (${source.sql(bind)}) s where id ${side.compare} order by id ${side.order}) i
        cross join lateral (
          select from messages m
          where m.organization_id = $1 and m.id = i.id and $2::bigint is not null
          and ${[...conditionsSql(conditions, bind), reach].join(' and ')} offset 0) m
        order by i.id ${side.order} limit ${side.limit}`
    case 'channels':
      return nearestPerRowSql(
        `unnest(${bind(source.channelIds)}::bigint[]) as p (channel_id)`,
        ['m.channel_id = p.channel_id', ...conditionsSql(rest, bind), reach],
        side,
      )
    case 'topics':
      return topicsSql(
        'topics t',
        conditions,
        ['t.organization_id = $1', topicsInDirectionSql(side)],
        [],
        reach,
        side,
        bind,
      )
    case 'spans':
      return topicsSql(
        'looked_through t',
        rest,
        [topicRangeConditionSql(side, 'lower(t.span)', 'upper(t.span)')],
        ['m.id >= lower(t.span)', 'm.id < upper(t.span)'],
        reach,
        side,
        bind,
      )
  }
}

function nearestByIdSql(where: readonly string[], side: Omit<SearchDirection, 'end' | 'range'>): string {
  return `select m.id from messages m
    where m.organization_id = $1 and $2::bigint is not null and m.id ${side.compare} and ${where.join(' and ')}
    order by m.id ${side.order} limit ${side.limit}`
}

/** For each row of `from`, selects the matches nearest to the anchor; then selects the nearest of all these. */
function nearestPerRowSql(from: string, where: readonly string[], side: SearchDirection): string {
  return `select found.id from ${from} cross join lateral (${nearestByIdSql(where, side)}) found
    order by found.id ${side.order} limit ${side.limit}`
}

/** Selects the matches nearest to the anchor in each topic that satisfies the conditions on channels and topics. */
function topicsSql(
  from: string,
  conditions: readonly Condition[],
  topicWhere: readonly string[],
  messageWhere: readonly string[],
  reach: string,
  side: SearchDirection,
  bind: BindParameter,
): string {
  const places = conditions.filter(({ question }) => question.about === 'place')
  const others = conditions.filter(({ question }) => question.about === 'message')
  const where = [...topicWhere, ...places.map((condition) => `(${conditionSql(condition, bind, TOPIC_COLUMNS)})`)]
  return nearestPerRowSql(
    `(select * from ${from} ${where.length === 0 ? '' : `where ${where.join(' and ')}`}) t`,
    ['m.topic_id = t.id', ...messageWhere, ...conditionsSql(others, bind), reach],
    side,
  )
}

function topicsInDirectionSql(side: SearchDirection): string {
  return topicRangeConditionSql(side, 't.first_id', 't.max_id')
}

/** `last` can be outdated and thus too high, which only adds candidates. */
function topicRangeConditionSql({ compare, order }: SearchDirection, first: string, last: string): string {
  if (order === 'desc') return `${first} ${compare}`
  if (!compare.startsWith('= ')) return `${last} ${compare}`
  const anchor = compare.slice(2)
  return `${first} <= ${anchor} and ${last} >= ${anchor}`
}

/** Selects received messages: direct messages, and channel messages sent while the reader was subscribed. */
function receivedMessagesSql(
  reader: Reader,
  conditions: readonly Condition[],
  side: SearchDirection,
  bind: BindParameter,
): string {
  const channels = nearestPerRowSql(
    `(select channel_id, periods from subscriptions where organization_id = $1 and user_id = $2
      and ${visibleChannelSql(reader, bind, 'channel_id')}) p`,
    [
      'm.channel_id = p.channel_id',
      'm.id >= lower(p.periods)',
      'm.id < coalesce(upper(p.periods), 9223372036854775807)',
      'p.periods @> m.id',
      ...conditionsSql(conditions, bind),
    ],
    side,
  )
  const own = { question: STATE_TESTS.dm(), negated: false }
  const direct = topicsSql(
    'topics t',
    [...conditions, own],
    ['t.organization_id = $1', topicsInDirectionSql(side)],
    [notWithheldSql({ message: 'm' })],
    'true',
    side,
    bind,
  )
  return `select id from ((${channels}) union all (${direct})) feed order by id ${side.order} limit ${side.limit}`
}
