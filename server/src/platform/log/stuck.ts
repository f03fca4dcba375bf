import type { Db } from '../../kernel/transaction.ts'
import { every } from '../jobs/every.ts'

/*
 * A process that freezes while it reads what it asked for, or sends what it asks, keeps its locks: the database waits for its
 * socket, and none of its own timeouts ends that. A process whose writes wait for such a lock ends it.
 */

const LOOK_MILLISECONDS = 700
/** A statement that waits for its process at so many looks, one after the other, is ended: after 2.1 seconds at most. */
const LOOKS = 3

/** Statements that wait for their process while another one waits for their locks. Those in $1 are ended. */
const STUCK = `
  select statement, case when statement = any($1::text[]) then pg_terminate_backend(pid) end as ended
  from (
    select pid, concat(pid, ' ', query_start) as statement from pg_stat_activity
    where datname = current_database() and usename = current_user and state = 'active' and wait_event_type = 'Client'
    and pid in (
      select unnest(pg_blocking_pids(pid)) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock')) stuck`

/**
 * Looks for them again and again.
 * @param isWriting whether this process writes; nothing is asked while it does not
 */
export function endStuck(
  reads: Db,
  isWriting: () => boolean,
  report: (error: unknown) => void,
): { close(): Promise<void> } {
  /** At how many looks each was seen. */
  let seen = new Map<string, number>()
  return every(
    LOOK_MILLISECONDS,
    async () => {
      if (!isWriting()) return
      const due = [...seen].filter(([, looks]) => looks >= LOOKS - 1).map(([statement]) => statement)
      const rows = await reads.rows<{ statement: string }>('end_stuck', STUCK, [due])
      seen = new Map(rows.map(({ statement }) => [statement, (seen.get(statement) ?? 0) + 1]))
    },
    report,
  )
}
