import type { Migration } from '../../kernel/tables.ts'
import type { Db } from '../../kernel/transaction.ts'
import { noticeFinding, okFinding, wrongFinding, type Finding } from '../../kernel/finding.ts'
import type { Health, Problem } from './health.ts'

const SLOW_QUERY_MILLISECONDS = 500
const MAX_CLOCK_DIFFERENCE_SECONDS = 5
/** Tolerance for clocks of other machines. */
const MAX_EVENT_TIME_AHEAD_SECONDS = 60
/** Each server uses up to 13 connections. */
const MIN_CONNECTION_LIMIT = 20
const MIN_BUFFERS_MEBIBYTES = 128

interface DatabaseFacts {
  readonly version: string
  readonly now: number
  readonly newest: number | null
  readonly damaged: number
  readonly fsync: string
  readonly pages: string
  readonly commit: string
  readonly connections: number
  readonly memory: number
}

const DATABASE_FACTS_SQL = `
  select current_setting('server_version') as version,
    extract(epoch from clock_timestamp())::float8 as now,
    (select max(e.recorded_at) from organizations o cross join lateral (
       select recorded_at from events where organization_id = o.id order by position desc limit 1) e) as newest,
    coalesce((select checksum_failures from pg_stat_database where datname = current_database()), 0)::int as damaged,
    current_setting('fsync') as fsync, current_setting('full_page_writes') as pages,
    current_setting('synchronous_commit') as commit,
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - (select count(*) from pg_stat_activity where backend_type = 'client backend')::int as connections,
    (select setting::bigint * 8 / 1024 from pg_settings where name = 'shared_buffers')::int as memory`

const INVALID_INDEXES_SQL = `
  select count(*)::int as count, string_agg(c.relname, ', ' order by c.relname) as names
  from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
  where not (i.indisvalid and i.indisready) and n.nspname = current_schema()`

export async function checkDatabaseHealth(reads: Db, isEmbedded: boolean): Promise<readonly Finding[]> {
  const asked = performance.now()
  const before = Date.now() / 1000
  const [facts] = await reads.rows<DatabaseFacts>('doctor_database', DATABASE_FACTS_SQL, [])
  if (facts === undefined) throw new Error('the database did not describe itself')
  const milliseconds = Math.round(performance.now() - asked)
  const after = Date.now() / 1000
  return [
    checkClock(facts, before, after),
    milliseconds > SLOW_QUERY_MILLISECONDS
      ? noticeFinding('database', 'database_slow', milliseconds)
      : okFinding('database', `PostgreSQL ${facts.version}, answered in ${milliseconds} ms`),
    ...(facts.damaged > 0 ? [wrongFinding('database', 'database_damaged', facts.damaged)] : []),
    ...checkSettings(facts, isEmbedded),
    await checkIndexes(reads),
  ]
}

function checkClock({ now, newest }: DatabaseFacts, before: number, after: number): Finding {
  const difference = now < before ? before - now : Math.max(0, now - after)
  if (difference > MAX_CLOCK_DIFFERENCE_SECONDS) return wrongFinding('clock', 'clock_differs', Math.round(difference))
  const ahead = (newest ?? 0) - after
  if (ahead > MAX_EVENT_TIME_AHEAD_SECONDS) return wrongFinding('clock', 'clock_behind_log', Math.round(ahead))
  return okFinding('clock')
}

function checkSettings(
  { fsync, pages, commit, connections, memory }: DatabaseFacts,
  isEmbedded: boolean,
): readonly Finding[] {
  const findings: Finding[] = []
  const off = Object.entries({ fsync, full_page_writes: pages, synchronous_commit: commit }).filter(
    ([, value]) => value === 'off',
  )
  if (off.length > 0) {
    const names = off.map(([name]) => name).join(', ')
    findings.push(wrongFinding('database_settings', 'database_not_durable', off.length, names))
  }
  if (connections < MIN_CONNECTION_LIMIT) {
    findings.push(noticeFinding('database_settings', 'database_connections_few', Math.max(0, connections)))
  }
  // The embedded database leaves most memory to the system's file cache.
  if (!isEmbedded && memory < MIN_BUFFERS_MEBIBYTES)
    findings.push(noticeFinding('database_settings', 'database_memory_small', memory))
  return findings.length > 0 ? findings : [okFinding('database_settings')]
}

async function checkIndexes(reads: Db): Promise<Finding> {
  const [found] = await reads.rows<{ count: number; names: string | null }>('doctor_indexes', INVALID_INDEXES_SQL, [])
  const count = found?.count ?? 0
  return count > 0 ? wrongFinding('indexes', 'indexes_invalid', count, found?.names ?? undefined) : okFinding('indexes')
}

/** Returns the problems that make the server unready, which prevent further checks. */
export async function checkHealth(health: Health): Promise<readonly Finding[]> {
  return (await health.problems()).map(toFinding)
}

function toFinding(problem: Problem): Finding {
  switch (problem.what) {
    case 'database_read_only':
      return wrongFinding('database', 'database_read_only')
    case 'database_unreachable':
      return wrongFinding('database', 'database_unreachable')
    case 'database_full':
      return wrongFinding('database', 'database_full')
    case 'database_silent':
      return wrongFinding('database', 'database_unreachable', problem.seconds)
    case 'events_behind':
      return wrongFinding('work', 'events_left', problem.organizations)
  }
}

/** Returns a finding if the database is empty; undefined if it has tables or cannot be queried. */
export async function checkEmptiness(reads: Db): Promise<Finding | undefined> {
  const asking = reads.rows<{ isEmpty: boolean }>(
    'doctor_emptiness',
    `select to_regclass('migrations') is null as "isEmpty"`,
    [],
  )
  const rows = await asking.catch(() => [])
  return rows[0]?.isEmpty === true ? noticeFinding('schema', 'schema_missing') : undefined
}

export async function checkSchema(reads: Db, migrations: readonly Migration[]): Promise<Finding> {
  const rows = await reads.rows<{ name: string }>('doctor_schema', 'select name from migrations', [])
  const applied = new Set(rows.map(({ name }) => name))
  const newer = [...applied].filter((name) => !migrations.some((migration) => migration.name === name))
  if (newer.length > 0) return wrongFinding('schema', 'schema_newer', newer.length, newer.join(', '))
  const left = migrations.filter(({ name }) => !applied.has(name))
  if (left.length > 0) return noticeFinding('schema', 'schema_old', left.length)
  return okFinding('schema', `${applied.size} migrations`)
}
