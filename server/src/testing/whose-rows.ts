/*
 * Checks that every statement and key specifies the organization, so that organizations could be on different servers.
 * Uses query plans: each access to an organization's table needs a condition on the organization, or a join with such
 * an access.
 */
import pg from 'pg'
import { afterAll, beforeAll, expect } from 'vitest'
import type { TestServer } from './server.ts'

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly Alias?: string
  readonly Plans?: readonly PlanNode[]
  readonly [property: string]: unknown
}

const STATEMENTS_FOR_ALL: readonly { readonly like: RegExp; readonly reason: string }[] = [
  { like: /\bas "organizationId"/, reason: 'jobs find due rows of all organizations' },
  { like: /^select \(select json_agg\(q\) from \(/, reason: 'one statement polls for all jobs each second' },
  { like: /\bstring_id"? = \$1/, reason: 'finds an organization by its subdomain' },
  { like: /\border by string_id$/, reason: 'lists all organizations for operators' },
  { like: /insert into known_consumers/, reason: 'a new consumer starts in all organizations' },
  {
    like: /^\s*select distinct o\.id from organizations o cross join/,
    reason: 'finds unfinished work of stopped processes',
  },
  { like: /^\s*delete from events e using/, reason: 'prunes the logs of all organizations' },
  {
    like: /^delete from "queues" where \(?"?last_used_at/,
    reason: 'expires unused queues of all organizations',
  },
  {
    like: /^\s*delete from failed_attempts (where ends_at|a using)/,
    reason: 'deletes expired attempts of all organizations',
  },
  { like: /\bwhere o\.id <> \$1 and exists/, reason: 'checks whether another organization uses an address' },
  { like: /^\s*with counted \(id, what, count, size\)/, reason: 'shows statistics of all organizations to operators' },
  { like: /\bcurrent_setting\('server_version'\) as version/, reason: 'shows the state of the database to operators' },
  {
    like: /^\s*select path_id as "pathId", size from organizations o/,
    reason: 'finds files of all organizations',
  },
  {
    like: /^\s*select id, position from organizations where id = any/,
    reason: 'a node compares its logs with the database',
  },
  { like: /^select o\.id from organizations o\s+join/, reason: 'counts the messages of channels in all organizations' },
  { like: /\bmax\(e\.recorded_at\)/, reason: 'the newest event reveals a restored database' },
  {
    like: /\(\$1::bigint is null or organization_id = \$1\)/,
    reason: 'shows overdue work to operators, and that of one organization to its administrators',
  },
  { like: /\bstarts_with\(string_id, /, reason: 'finds deleted organizations by their name' },
  { like: /update messages set date_sent/, reason: 'dates all messages of a demo at once' },
]

/** A file that sends fewer statements probably tests nothing. */
const MIN_STATEMENTS = 50

/** Tables of which each server of a cluster would have a complete copy. */
const TABLES_OF_THE_SERVER: Readonly<Record<string, string>> = {
  migrations: 'migrations change all tables',
  database_place: 'distinguishes a restored database from the original',
  known_consumers: 'the program defines its consumers',
  setup_links: 'setup creates the first organization',
  organizations: 'its ID starts all other keys, and subdomains are unique',
}

const KEYS_OF_THE_SERVER: Readonly<Record<string, string>> = {
  imports_begun: 'each subdomain allows one import, even if its organization changes',
  consumers_name_fkey: 'the program defines its consumers',
}

/** Setting of the server's connections, which the tests' own connections lack. */
const SERVER_CONNECTION = /plan_cache_mode=force_generic_plan/
const PLANNED_STATEMENT = /^\s*(with|select|insert|update|delete|merge)\b/i

type Query = (this: pg.Client, ...asked: unknown[]) => unknown

/** @returns a function that stops the observation */
function watchStatements(database: pg.ClientConfig['database'], note: (text: string) => void): () => void {
  const { prototype } = pg.Client
  // Safe: all its call signatures are passed through unchanged.
  const { value: query } = Object.getOwnPropertyDescriptor(prototype, 'query') as { readonly value: Query }
  const noting: Query = function (...asked) {
    const [statement] = asked
    const { text = '' } =
      typeof statement === 'string' ? { text: statement } : (statement as { readonly text?: string })
    // Safe: the declaration omits the connection parameters.
    const { options = '' } = (this as unknown as { readonly connectionParameters: { readonly options?: string } })
      .connectionParameters
    if (this.database === database && SERVER_CONNECTION.test(options) && PLANNED_STATEMENT.test(text)) note(text)
    return query.apply(this, asked)
  }
  Object.assign(prototype, { query: noting })
  return () => Object.assign(prototype, { query })
}

/** Fails at the end. The file itself must not use the server's connections. */
export function requireOrganizationInStatements(server: () => TestServer): void {
  const sent = new Set<string>()
  let end: (() => void) | undefined
  beforeAll(() => {
    end = watchStatements(server().database.database, (text) => sent.add(text))
  })
  afterAll(async () => {
    end?.()
    const client = new pg.Client(server().database)
    await client.connect()
    try {
      const owners = await ownerColumns(client)
      const found: object[] = []
      for (const text of sent) {
        if (STATEMENTS_FOR_ALL.some(({ like }) => like.test(text))) continue
        const tables = await tablesLookedThrough(client, owners, text)
        if (tables.length > 0) found.push({ tables, text })
      }
      expect(found).toEqual([])
      expect(sent.size).toBeGreaterThan(MIN_STATEMENTS)
      process.stdout.write(`statements: ${sent.size} distinct, each restricted to an organization or exempt\n`)
    } finally {
      await client.end()
    }
  })
}

export type OwnerColumns = ReadonlyMap<string, string>

export async function ownerColumns(client: pg.ClientBase): Promise<OwnerColumns> {
  const { rows } = await client.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'organization_id'`,
  )
  return new Map([['organizations', 'id'], ...rows.map(({ name }) => [name, 'organization_id'] as const)])
}

export async function tablesLookedThrough(
  client: pg.ClientBase,
  owners: OwnerColumns,
  text: string,
): Promise<readonly string[]> {
  const { rows } = await client.query<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>(
    `explain (generic_plan, verbose, format json) ${text}`,
  )
  const nodes = rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan: plan }) => withAllBelow(plan)))
  const looks = nodes.flatMap(({ 'Node Type': type, 'Relation Name': table = '', Alias: alias = '' }) => {
    const column = owners.get(table)
    return type.endsWith('Scan') && column !== undefined ? [{ table, alias, owner: `${alias}.${column}` }] : []
  })
  const pairs = nodes.flatMap(conditionsOf).flatMap(equalsIn)
  const isOpen = new Set(looks.map(({ owner }) => owner))
  // A condition on one table applies to all tables that are joined with it.
  for (let before = Infinity; isOpen.size < before;) {
    before = isOpen.size
    for (const [left, right] of pairs) {
      if (!isOpen.has(left)) isOpen.delete(right)
      if (!isOpen.has(right)) isOpen.delete(left)
    }
  }
  return [...new Set(looks.filter(({ owner }) => isOpen.has(owner)).map(({ table }) => table))]
}

function withAllBelow(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(withAllBelow)]
}

function conditionsOf(node: PlanNode): string[] {
  // This scan can be one of several alternatives. The parent node has the common conditions.
  if (node['Node Type'] === 'Bitmap Index Scan') return []
  return Object.entries(node).flatMap(([property, value]) =>
    /(Cond|Filter)$/.test(property) && typeof value === 'string' ? conjunctsOf(withoutTexts(value)) : [],
  )
}

function withoutTexts(condition: string): string {
  return condition.replaceAll(/'[^']*'/g, `''`)
}

/** Alternatives and negations do not restrict the organization. */
function conjunctsOf(condition: string): string[] {
  const parts = splitBy(' AND ', condition)
  if (parts.length > 1) return parts.flatMap(conjunctsOf)
  if (isInParentheses(condition)) return conjunctsOf(condition.slice(1, -1))
  return /\b(?:OR|NOT|CASE)\b/.test(condition) ? [] : [condition]
}

function splitBy(word: string, condition: string): string[] {
  const parts: string[] = []
  let [depth, from] = [0, 0]
  for (let at = 0; at < condition.length; at += 1) {
    depth += depthAt(condition, at)
    if (depth > 0 || !condition.startsWith(word, at)) continue
    parts.push(condition.slice(from, at))
    from = at + word.length
  }
  return [...parts, condition.slice(from)]
}

function isInParentheses(condition: string): boolean {
  if (!condition.startsWith('(')) return false
  let depth = 0
  for (let at = 0; at < condition.length; at += 1) {
    depth += depthAt(condition, at)
    if (depth === 0) return at === condition.length - 1
  }
  return false
}

function depthAt(condition: string, at: number): -1 | 0 | 1 {
  if (condition[at] === '(') return 1
  return condition[at] === ')' ? -1 : 0
}

function equalsIn(condition: string): [string, string][] {
  const bare = condition.replaceAll('"', '')
  return Array.from(bare.matchAll(/([^\s()]+)\)? = \(?([^\s()]+)/g), ([, left = '', right = '']) => [left, right])
}

/** Lists tables that neither belong to an organization nor are known as tables of the server. */
export async function tablesWithoutOrganization(client: pg.ClientBase): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string; isNullable: boolean | null }>(
    `select c.relname as name, not a.attnotnull as "isNullable" from pg_class c
     left join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`,
  )
  const names = rows.map(({ name }) => name)
  return [
    ...rows
      .filter(({ name, isNullable }) => isNullable !== false && TABLES_OF_THE_SERVER[name] === undefined)
      .map(({ name, isNullable }) =>
        isNullable === null ? `${name} has no organization_id` : `${name}.organization_id is nullable`,
      ),
    ...Object.keys(TABLES_OF_THE_SERVER)
      .filter((name) => !names.includes(name))
      .map((name) => `${name} is not a table: remove its exception`),
  ]
}

/** Lists primary keys, unique indexes, and foreign keys (both sides) whose first column is not the organization. */
export async function keysWithoutOrganization(client: pg.ClientBase): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string; table: string; begins: boolean }>(
    `select i.relname as name, t.relname as table, coalesce(a.attname = 'organization_id', false) as begins
     from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
     left join pg_attribute a on a.attrelid = t.oid and a.attnum = x.indkey[0]
     where t.relnamespace = 'public'::regnamespace and x.indisunique
     union all
     select f.conname, t.relname, a.attname = 'organization_id'
       and b.attname = case when r.relname = 'organizations' then 'id' else 'organization_id' end
     from pg_constraint f join pg_class t on t.oid = f.conrelid join pg_class r on r.oid = f.confrelid
     join pg_attribute a on a.attrelid = t.oid and a.attnum = f.conkey[1]
     join pg_attribute b on b.attrelid = r.oid and b.attnum = f.confkey[1]
     where f.contype = 'f' and t.relnamespace = 'public'::regnamespace
     order by 1`,
  )
  const names = rows.map(({ name }) => name)
  return [
    ...rows
      .filter(
        ({ begins, table, name }) =>
          !begins && TABLES_OF_THE_SERVER[table] === undefined && KEYS_OF_THE_SERVER[name] === undefined,
      )
      .map(({ name, table }) => `${name} of ${table} does not start with organization_id`),
    ...Object.keys(KEYS_OF_THE_SERVER)
      .filter((name) => !names.includes(name))
      .map((name) => `${name} is not a key: remove its exception`),
  ]
}
