/* Checks of `parley doctor` and of the Server page, which omits details that are only for operators. */

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
  'identity_provider',
  'address',
] as const
export type Check = (typeof CHECKS)[number]

/** Comments state the unit or meaning of `value`. */
export const PROBLEM_CODES = [
  'look_failed',
  /** Another user owns the directory or can access it. */
  'data_directory_of_another',
  'data_directory_open',
  /** Free MiB. */
  'disk_full',
  'disk_nearly_full',
  /** Percent of inodes in use. */
  'disk_names_nearly_used',
  'descriptors_few',
  /** Percent of the descriptor limit. */
  'descriptors_nearly_used',
  /** MiB left. */
  'memory_nearly_used',
  'clock_differs',
  'clock_behind_log',
  'database_unreachable',
  'database_read_only',
  'database_full',
  'database_slow',
  /** Damaged blocks. */
  'database_damaged',
  /** No server has started on this database yet. */
  'schema_missing',
  /** Number of missing migrations. */
  'schema_old',
  'schema_newer',
  /** The database can lose committed changes. */
  'database_not_durable',
  /** Number of remaining connections. */
  'database_connections_few',
  /** MiB. */
  'database_memory_small',
  /** Number of replicas that are not used. */
  'replicas_left_out',
  /** Nodes learn of changes up to a second late. */
  'bus_away',
  /** Number of invalid indexes. */
  'indexes_invalid',
  'files_missing',
  /** Number of recent files, all of which are missing. */
  'files_elsewhere',
  'file_store_away',
  'backup_none',
  /** Days. */
  'backup_old',
  'backup_unverified',
  /** Number of overdue jobs. */
  'work_late',
  'events_left',
  'removals_left',
  'mail_unreachable',
  'identity_provider_unreachable',
  /** The provider does not confirm email addresses. */
  'identity_provider_unverified',
  'address_unreachable',
  'address_taken',
  'address_unencrypted',
  'address_of_developers',
] as const
export type ProblemCode = (typeof PROBLEM_CODES)[number]

/** `wrong` requires a fix; a `notice` may not. */
export type Severity = 'wrong' | 'notice'

export type Finding =
  | {
      readonly check: Check
      readonly state: 'ok'
      readonly detail: string | undefined
    }
  | {
      readonly check: Check
      readonly state: Severity
      readonly trouble: ProblemCode
      readonly value: number | null
      /** Details for operators only: paths, addresses, system errors. */
      readonly detail: string | undefined
    }

export function ok(check: Check, detail?: string): Finding {
  return { check, state: 'ok', detail }
}

export function wrong(check: Check, trouble: ProblemCode, value: number | null = null, detail?: string): Finding {
  return { check, state: 'wrong', trouble, value, detail }
}

export function notice(check: Check, trouble: ProblemCode, value: number | null = null, detail?: string): Finding {
  return { check, state: 'notice', trouble, value, detail }
}
