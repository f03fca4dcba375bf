/*
 * What a look at the server finds. Those who run it are told by `parley doctor`, and administrators of an organization by the
 * page of the server, as far as it concerns them: the same looks, the same findings.
 */

/** What is looked at, in the order in which it is told. */
export const CHECKS = [
  'data_directory',
  'disk',
  'descriptors',
  'memory',
  'clock',
  'database',
  'schema',
  'database_settings',
  'replicas',
  'bus',
  'indexes',
  'files',
  'backup',
  'work',
  'mail',
  'address',
] as const
export type Check = (typeof CHECKS)[number]

/** What may be found that is not well. */
export const TROUBLES = [
  'look_failed',
  /** Somebody else owns the data directory, or may enter it. */
  'data_directory_of_another',
  'data_directory_open',
  /** Mebibytes that are free. */
  'disk_full',
  'disk_nearly_full',
  /** Per cent of the names that a file system has room for. */
  'disk_names_nearly_used',
  /** Of the process, as many as it may open. */
  'descriptors_few',
  /** Per cent of those that it may open. */
  'descriptors_nearly_used',
  /** Mebibytes that are left. */
  'memory_nearly_used',
  /** Seconds. */
  'clock_differs',
  'clock_behind_log',
  'database_unreachable',
  'database_read_only',
  'database_full',
  'database_slow',
  /** Blocks that were not as they were written. */
  'database_damaged',
  /** No server has ever started on it. */
  'schema_missing',
  /** Steps that are left. */
  'schema_old',
  'schema_newer',
  /** A committed change may be lost. */
  'database_not_durable',
  /** Connections that are left. */
  'database_connections_few',
  /** Mebibytes. */
  'database_memory_small',
  /** How many are left out. */
  'replicas_left_out',
  /** Nodes hear of each other a second late. */
  'bus_away',
  /** How many. */
  'indexes_invalid',
  'files_missing',
  /** Of so many of the latest, none is there. */
  'files_elsewhere',
  'file_store_away',
  'backup_none',
  /** Days. */
  'backup_old',
  'backup_unverified',
  /** How many. */
  'work_late',
  'events_left',
  'removals_left',
  'mail_unreachable',
  'address_unreachable',
  'address_taken',
  'address_unencrypted',
  'address_of_developers',
] as const
export type Trouble = (typeof TROUBLES)[number]

/** `wrong` needs to be put right, and a `notice` may. */
export type Severity = 'wrong' | 'notice'

export type Finding =
  | {
      readonly check: Check
      readonly state: 'ok'
      /** The number or the name that says how well it is; undefined where there is nothing to say. */
      readonly detail: string | undefined
    }
  | {
      readonly check: Check
      readonly state: Severity
      readonly trouble: Trouble
      /** The number that belongs to the trouble. */
      readonly value: number | null
      /** For those who run the server alone: paths, addresses, what the system says. */
      readonly detail: string | undefined
    }

export function ok(check: Check, detail?: string): Finding {
  return { check, state: 'ok', detail }
}

export function wrong(check: Check, trouble: Trouble, value: number | null = null, detail?: string): Finding {
  return { check, state: 'wrong', trouble, value, detail }
}

export function notice(check: Check, trouble: Trouble, value: number | null = null, detail?: string): Finding {
  return { check, state: 'notice', trouble, value, detail }
}
