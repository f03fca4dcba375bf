import { createHash } from 'node:crypto'
import { numberParameters, type NamedStatement } from '../../../../platform/db/parameters.ts'
import type { SendBatch, StatementPart, ResultQuery } from './part.ts'

const RESULT_COLUMNS: readonly (readonly [name: keyof ResultQuery['columns'], type: string])[] = [
  ['n', 'bigint'],
  ['base', 'bigint'],
  ['id', 'bigint'],
  ['topicId', 'bigint'],
  ['topic', 'text'],
  ['startsTopic', 'boolean'],
  ['userId', 'bigint'],
  ['channelId', 'bigint'],
]

export function sendingSql(parts: readonly StatementPart[]): string {
  const needed = new Set(parts)
  const leftOut = parts.flatMap(({ leavesOut }) => leavesOut ?? [])
  const taken = parts.flatMap(({ takesPositions }) => takesPositions ?? [])
  const isCountKnown = leftOut.length === 0 && taken.length === 0
  const [written, number, count] =
    leftOut.length === 0 ? ['given', 'n', '$count::bigint'] : ['fresh', 'k', '(select count(*) from fresh)']
  const relations = [
    inputSql(parts),
    ...(isCountKnown ? [] : [LOCK_POSITION_SQL]),
    ...leftOut.map(({ sql }) => sql(needed)),
    ...(leftOut.length === 0 ? [] : [newMessagesSql(leftOut.map(({ relation }) => relation))]),
    ...(isCountKnown ? [TAKE_POSITIONS_SQL] : []),
    `new_message as materialized (
  select base, base + ${number} as id, ${written}.* from lock cross join ${written})`,
    ...relationsOf(parts),
    ...(isCountKnown ? [] : [movePositionSql(count, taken)]),
  ]
  const answers = parts.flatMap((part) => part.answers ?? []).map(resultSql)
  return `with ${joinRelations(relations)}\n${answers.join('\nunion all\n')}\norder by n`
}

/** Builds the statement for messages posted in a transaction that has already taken their IDs (`$ids`). */
export function postingSql(parts: readonly StatementPart[]): string {
  const relations = [
    inputSql(parts),
    'new_message as materialized (select ($ids::bigint[])[given.n] as id, given.* from given)',
    ...relationsOf(parts),
  ]
  return `with ${joinRelations(relations)}\nselect count(*) from placed`
}

export function valuesFor(parts: readonly StatementPart[], batch: SendBatch): Record<string, unknown> {
  const { organization, now, inserts } = batch
  const values: Record<string, unknown> = { organization: organization.id, now, count: inserts.length }
  for (const part of parts) {
    for (const { name, valueOf } of part.given ?? []) values[name] = inserts.map((insert) => valueOf(insert, batch))
    if (part.values !== undefined) Object.assign(values, part.values(batch))
  }
  return values
}

export interface PreparedStatement extends NamedStatement {
  readonly name: string
}

const preparedStatements = new Map<string, PreparedStatement>()

const MAX_STATEMENT_NAME_BYTES = 63

export function sendingStatement(parts: readonly StatementPart[]): PreparedStatement {
  let words = 'send'
  for (const part of parts) if (part.isNeeded !== undefined) words += `_${part.name}`
  let statement = preparedStatements.get(words)
  if (statement === undefined) {
    statement = { name: statementName(words), ...numberParameters(sendingSql(parts)) }
    preparedStatements.set(words, statement)
  }
  return statement
}

function statementName(words: string): string {
  return words.length <= MAX_STATEMENT_NAME_BYTES ? words : `send_${createHash('sha1').update(words).digest('hex')}`
}

function inputSql(parts: readonly StatementPart[]): string {
  const columns = parts.flatMap((part) => part.given ?? [])
  const computed = parts.flatMap((part) => part.computed ?? [])
  return `given as (
  select ${['i.*', ...computed].join(',\n    ')}
  from unnest(
    ${columns.map(({ name, type }) => `$${name}::${type}[]`).join(',\n    ')})
  with ordinality as i(
    ${[...columns.map(({ name }) => name), 'n'].join(', ')}))`
}

function relationsOf(parts: readonly StatementPart[]): string[] {
  const needed = new Set(parts)
  return parts.flatMap(({ sql }) => (sql === undefined ? [] : [sql(needed)]))
}

function joinRelations(relations: readonly string[]): string {
  return relations.map((relation) => relation.trim()).join(',\n')
}

function newMessagesSql(leftOut: readonly string[]): string {
  const conditions = leftOut.map((relation) => `not exists (select from ${relation} where ${relation}.n = given.n)`)
  return `fresh as materialized (
  select given.*, row_number() over (order by given.n) as k from given
  where ${conditions.join('\n    and ')})`
}

const TAKE_POSITIONS_SQL = `lock as materialized (
  update organizations set position = position + $count::bigint where id = $organization
  returning position - $count::bigint as base)`

const LOCK_POSITION_SQL = `lock as materialized (
  select position as base from organizations where id = $organization for no key update)`

function movePositionSql(count: string, taken: readonly string[]): string {
  const counts = [count, ...taken.map((relation) => `(select count(*) from ${relation})`)]
  return `moved as (
  update organizations set position = position + ${counts.join(' + ')} where id = $organization)`
}

function resultSql({ what, columns, from }: ResultQuery): string {
  const selected = RESULT_COLUMNS.map(([name, type]) => {
    const sql = columns[name] ?? `null::${type}`
    return sql === name ? sql : `${sql} as "${name}"`
  })
  return `select '${what}' as what,\n  ${selected.join(',\n  ')}\nfrom ${from}`
}
