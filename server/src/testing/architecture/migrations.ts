/*
 * A merged migration never changes, because databases have already applied it. A new migration must keep the previous
 * release working: during a rolling update, nodes of both versions serve the same tables.
 */
import { createHash } from 'node:crypto'
import type { Migration } from '../../kernel/tables.ts'

export interface LandedMigrations {
  readonly inReleaseBefore: Readonly<Record<string, string>>
  readonly since: Readonly<Record<string, string>>
}

export interface Retirement {
  readonly migration: string
  /** Description such as `drops channels.weekly_traffic`. */
  readonly what: string
  readonly reason: string
}

export function migrationViolations(
  migrations: readonly Migration[],
  landed: LandedMigrations,
  retirements: readonly Retirement[],
): string[] {
  const unreleased = migrations.filter(({ name }) => landed.inReleaseBefore[name] === undefined)
  const lastDay = Object.keys(landed.inReleaseBefore).map(dayOf).toSorted().at(-1) ?? ''
  const uniqueIndexes = new Set(migrations.flatMap(({ sql }) => statementsOf(sql).flatMap(uniqueIndexIn)))
  const newTables = new Set<string>()
  const breaking = unreleased.flatMap(({ name, sql }) =>
    breakingChanges(sql, newTables, uniqueIndexes).map((what) => ({ name, what })),
  )
  const isRetired = (name: string, what: string): boolean =>
    retirements.some((retirement) => retirement.migration === name && retirement.what === what)
  return [
    ...changesOfLanded(migrations, landed),
    ...unreleased
      .filter((migration) => dayOf(migration.name) < lastDay)
      .map(({ name }) => `${name} is dated before the newest migration of the previous release, but runs after it`),
    ...breaking.filter(({ name, what }) => !isRetired(name, what)).map(({ name, what }) => `${name} ${what}`),
    ...retirements
      .filter(({ migration, what }) => !breaking.some((one) => one.name === migration && one.what === what))
      .map(({ migration, what }) => `${migration} needs no exception for: ${what}`),
  ]
}

function changesOfLanded(migrations: readonly Migration[], { inReleaseBefore, since }: LandedMigrations): string[] {
  const digests = { ...inReleaseBefore, ...since }
  return [
    ...migrations
      .filter(({ name, sql }) => digests[name] !== undefined && digests[name] !== digestOf({ sql }))
      .map(({ name }) => `${name} has changed since it was merged, which no database will notice`),
    ...Object.keys(digests)
      .filter((name) => !migrations.some((migration) => migration.name === name))
      .map((name) => `${name} was merged and is missing`),
    ...Object.keys(since)
      .filter((name) => inReleaseBefore[name] !== undefined)
      .map((name) => `${name} is listed twice`),
  ]
}

/** Formats the list of merged migrations, including new ones. */
export function landedText(
  migrations: readonly Migration[],
  { inReleaseBefore }: Pick<LandedMigrations, 'inReleaseBefore'>,
): string {
  const added = migrations
    .filter(({ name }) => inReleaseBefore[name] === undefined)
    .map((migration) => [migration.name, digestOf(migration)] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `${JSON.stringify({ inReleaseBefore, since: Object.fromEntries(added) }, null, 2)}\n`
}

export function digestOf({ sql }: Pick<Migration, 'sql'>): string {
  return createHash('sha256').update(sql).digest('hex')
}

const dayOf = (name: string): string => name.slice(0, 'yyyy-mm-dd'.length)

const LEXEME = /--[^\n]*|\/\*[\s\S]*?\*\/|e'(?:\\.|''|[^'\\])*'|'(?:''|[^'])*'|(\$\w*\$)[\s\S]*?\1/gi

/** Splits and normalizes SQL: lower case, single spaces, no comments, quotation marks, schema, or string contents. */
export function statementsOf(sql: string): string[] {
  return sql
    .replace(LEXEME, (lexeme) => (/^(?:--|\/\*)/.test(lexeme) ? ' ' : "''"))
    .replaceAll('"', '')
    .toLowerCase()
    .replace(/\bpublic\./g, '')
    .replace(/\s+/g, ' ')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}

const NAMES = String.raw`(?:if (?:not )?exists )?(?:only )?(\w+)`
const CREATE_TABLE = new RegExp(
  String.raw`^create (?:(?:global |local )?temp(?:orary)? |unlogged )?(?:table|materialized view|view) ${NAMES}`,
)
const CREATE_REPLACEABLE = /^create (?:or replace )?(?:constraint )?(function|procedure|trigger|view) (\w+)/
const CREATE_UNIQUE_INDEX = new RegExp(String.raw`^create unique index (?:concurrently )?${NAMES} on (?:only )?(\w+)`)
const ALTER_TABLE = new RegExp(String.raw`^alter (?:table|materialized view|view) ${NAMES} (.*)$`)
const DROP_OBJECT =
  /^drop (materialized view|text search \w+|[a-z]+) (?:concurrently )?(?:if exists )?(.*?)(?: cascade| restrict)?$/

/**
 * Lists changes that break the previous release.
 * @param newTables tables that the previous release does not know; extended by the tables created here
 */
function breakingChanges(sql: string, newTables: Set<string>, uniqueIndexes: ReadonlySet<string>): string[] {
  const statements = statementsOf(sql)
  // Recreated objects count as unchanged. Reviewers must check that functions keep their arguments.
  const recreated = new Set(
    statements.flatMap((statement) => {
      const [, kind, name] = CREATE_REPLACEABLE.exec(statement) ?? []
      return kind === undefined ? [] : [`${kind} ${name}`]
    }),
  )
  const defaults = new Set(statements.flatMap(defaultsIn))
  return statements.flatMap((statement) => {
    const [, created] = CREATE_TABLE.exec(statement) ?? []
    if (created !== undefined) {
      newTables.add(created)
      return blockingReferences(created, statement, newTables)
    }
    const [, index = '', indexed] = CREATE_UNIQUE_INDEX.exec(statement) ?? []
    if (indexed !== undefined) return newTables.has(indexed) ? [] : [`makes ${indexed} stricter by ${index}`]
    const [, table, actions = ''] = ALTER_TABLE.exec(statement) ?? []
    if (table !== undefined) {
      return newTables.has(table) ? [] : partsOf(actions).flatMap((action) => breaksByAltering(table, action, defaults))
    }
    const [, kind, names = ''] = DROP_OBJECT.exec(statement) ?? []
    if (kind !== undefined) {
      return partsOf(names)
        .map((name) => /^\w+/.exec(name)?.[0] ?? name)
        .filter((name) => (kind === 'index' ? uniqueIndexes.has(name) : !newTables.has(name)))
        .filter((name) => !recreated.has(`${kind} ${name}`))
        .map((name) => `drops the ${kind} ${name}`)
    }
    if (/^alter (?!index\b)/.test(statement)) return [`alters something other than a table: ${statement}`]
    if (/^(?:do|execute|call)\b/.test(statement)) return ['runs code that this test cannot check']
    return []
  })
}

/** Finds references from new tables, which would keep the previous release from deleting rows. */
function blockingReferences(created: string, statement: string, newTables: ReadonlySet<string>): string[] {
  const body = /\((.*)\)/.exec(statement)?.[1] ?? ''
  return partsOf(body).flatMap((part) => {
    const [, referred] = /\breferences (\w+)/.exec(part) ?? []
    const isHeld = referred !== undefined && !newTables.has(referred) && !/\bon delete (?:cascade|set)\b/.test(part)
    return isHeld ? [`keeps rows of ${referred} from being deleted, because of ${created}`] : []
  })
}

function breaksByAltering(table: string, action: string, defaults: ReadonlySet<string>): string[] {
  const [, column = ''] = /^(?:add|drop|alter)(?: column)?(?: if (?:not )?exists)? (\w+)/.exec(action) ?? []
  const what = `${table}.${column}`
  if (/^(?:rename|set schema)\b/.test(action)) return [`renames ${table} or part of it`]
  if (/^drop constraint\b/.test(action)) {
    // Dropping a foreign key or check only allows more than before, but dropping a unique key breaks `on conflict`.
    return /_(?:fkey|check)(?: cascade| restrict)?$/.test(action) ? [] : [`drops a key of ${table}`]
  }
  if (/^drop\b/.test(action)) return [`drops ${what}`]
  if (/^add (?:constraint|check|unique|primary|foreign|exclude)\b/.test(action)) return [`makes ${table} stricter`]
  if (/^add\b/.test(action)) {
    const isRequired =
      /\bnot null\b|\bprimary key\b/.test(action) && !/\b(?:default|generated|serial|bigserial)\b/.test(action)
    return isRequired ? [`adds ${what}, which the previous release does not set`] : []
  }
  if (/^alter\b.* type\b/.test(action)) return [`changes the type of ${what}`]
  if (/^alter\b.* drop (?:default|expression|identity)\b/.test(action)) return [`removes the default of ${what}`]
  if (/^alter\b.* set not null$/.test(action)) return defaults.has(what) ? [] : [`makes ${what} stricter`]
  return []
}

const uniqueIndexIn = (statement: string): string[] => CREATE_UNIQUE_INDEX.exec(statement)?.slice(1, 2) ?? []

/** Lists columns such as `channels.name`. */
function defaultsIn(statement: string): string[] {
  const [, table = '', actions = ''] = ALTER_TABLE.exec(statement) ?? []
  return partsOf(actions).flatMap((action) => {
    const [, column] = /^(?:add|alter)(?: column)?(?: if not exists)? (\w+)\b.* default\b/.exec(action) ?? []
    return column === undefined || action.endsWith(' drop default') ? [] : [`${table}.${column}`]
  })
}

function partsOf(text: string): string[] {
  const parts = ['']
  let depth = 0
  for (const character of text) {
    if (character === '(' || character === '[') depth += 1
    if (character === ')' || character === ']') depth -= 1
    if (character === ',' && depth === 0) parts.push('')
    else parts.push(`${parts.pop() ?? ''}${character}`)
  }
  return parts.map((part) => part.trim())
}
