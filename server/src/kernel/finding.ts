/* Checks of `parley doctor` and the Server page. The page omits details that are only for operators. */

export const CHECK_NAMES = [
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
export type Check = (typeof CHECK_NAMES)[number]

/** Comments explain the problem, or say what the finding's `value` is. */
export const PROBLEM_CODES = [
  'look_failed',
  /** `value`: user ID of the directory's owner. */
  'data_directory_of_another',
  'data_directory_open',
  /** `value`: MiB of free disk space. */
  'disk_full',
  'disk_nearly_full',
  /** `value`: percentage of inodes in use. */
  'disk_names_nearly_used',
  'descriptors_few',
  /** `value`: percentage of the descriptor limit in use. */
  'descriptors_nearly_used',
  /** `value`: MiB of memory left. */
  'memory_nearly_used',
  'clock_differs',
  'clock_behind_log',
  'database_unreachable',
  'database_read_only',
  'database_full',
  'database_slow',
  /** `value`: number of damaged blocks. */
  'database_damaged',
  /** No server has started on this database yet. */
  'schema_missing',
  /** `value`: number of missing migrations. */
  'schema_old',
  'schema_newer',
  /** The database can lose committed changes. */
  'database_not_durable',
  /** `value`: number of database connections left. */
  'database_connections_few',
  /** `value`: MiB of shared buffers. */
  'database_memory_small',
  /** `value`: number of unused replicas. */
  'replicas_left_out',
  /** Without the bus, nodes learn of changes up to a second late. */
  'bus_away',
  /** `value`: number of invalid indexes. */
  'indexes_invalid',
  'files_missing',
  /** `value`: number of recent files, all of which are missing. */
  'files_elsewhere',
  'file_store_away',
  'backup_none',
  /** `value`: age of the last backup, in days. */
  'backup_old',
  'backup_unverified',
  /** `value`: number of overdue jobs. */
  'work_late',
  'events_left',
  'removals_left',
  /** `value`: number of messages that a search does not find yet. */
  'search_incomplete',
  /** `value`: number of files whose text a search does not find yet. */
  'file_search_incomplete',
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

/** A `wrong` finding requires a fix; a `notice` might not. */
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

export function okFinding(check: Check, detail?: string): Finding {
  return { check, state: 'ok', detail }
}

export function wrongFinding(
  check: Check,
  trouble: ProblemCode,
  value: number | null = null,
  detail?: string,
): Finding {
  return { check, state: 'wrong', trouble, value, detail }
}

export function noticeFinding(
  check: Check,
  trouble: ProblemCode,
  value: number | null = null,
  detail?: string,
): Finding {
  return { check, state: 'notice', trouble, value, detail }
}
