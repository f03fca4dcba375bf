import type { Db } from '../../kernel/transaction.ts'
import { repeatEvery } from '../jobs/every.ts'

/* A process that freezes while sending or receiving keeps its locks: the database waits, and no timeout applies. */

const CHECK_INTERVAL_MILLISECONDS = 700
/** Consecutive checks (2.1 seconds) after which a waiting statement is terminated. */
const MAX_FROZEN_CHECKS = 3

const TERMINATE_FROZEN_SQL = `
  select statement, case when statement = any($1::text[]) then pg_terminate_backend(pid) end as ended
  from (
    select pid, concat(pid, ' ', query_start) as statement from pg_stat_activity
    where datname = current_database() and usename = current_user and state = 'active' and wait_event_type = 'Client'
    and pid in (
      select unnest(pg_blocking_pids(pid)) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock')) stuck`

/** Terminates connections of frozen processes. Checks only while `isWriting`. */
export function terminateFrozenConnections(
  reads: Db,
  isWriting: () => boolean,
  report: (error: unknown) => void,
): { close(): Promise<void> } {
  let seen = new Map<string, number>()
  return repeatEvery(
    CHECK_INTERVAL_MILLISECONDS,
    async () => {
      if (!isWriting()) return
      const due = [...seen].filter(([, checks]) => checks >= MAX_FROZEN_CHECKS - 1).map(([statement]) => statement)
      const rows = await reads.rows<{ statement: string }>('end_stuck', TERMINATE_FROZEN_SQL, [due])
      seen = new Map(rows.map(({ statement }) => [statement, (seen.get(statement) ?? 0) + 1]))
    },
    report,
  )
}
