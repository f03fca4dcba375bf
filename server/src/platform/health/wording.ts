import { formatCount } from '../../kernel/phrases.ts'
import type { Check, Finding, ProblemCode } from '../../kernel/finding.ts'
import { MAX_CONNECTIONS } from '../db/database.ts'

export const CHECK_TITLES: Readonly<Record<Check, string>> = {
  data_directory: 'Data directory',
  disk: 'Disk',
  descriptors: 'Descriptors',
  memory: 'Memory',
  clock: 'Clock',
  database: 'Database',
  schema: 'Schema',
  database_settings: 'Database settings',
  replicas: 'Replicas',
  bus: 'Bus',
  indexes: 'Indexes',
  files: 'Files',
  backup: 'Backup',
  work: 'Work',
  mail: 'Email',
  identity_provider: 'Identity provider',
  address: 'Address',
}

interface ProblemText {
  readonly says: (value: number, detail: string) => string
  readonly remedy: string
}

const PROBLEM_TEXTS: Readonly<Record<ProblemCode, ProblemText>> = {
  look_failed: {
    says: (_, detail) => `The check failed: ${detail}.`,
    remedy: 'Check that PARLEY_DATA_DIR is right, and run the command as the account that runs the server.',
  },
  data_directory_of_another: {
    says: (value, detail) => `${detail} belongs to user ID ${value}.`,
    remedy: 'Run Parley as that user, or change the owner of the directory.',
  },
  data_directory_open: {
    says: (_, detail) => `Other accounts on this machine can write to ${detail}.`,
    remedy: 'Remove their access: chmod 700.',
  },
  disk_full: {
    says: (value, detail) => `Only ${value} MiB are free at ${detail}. The database stops at 0.`,
    remedy: 'Free space, or move the data directory to a larger disk. `parley prune` removes leftover data.',
  },
  disk_nearly_full: {
    says: (value, detail) => `Only ${value} MiB are free at ${detail}.`,
    remedy: 'Free space. `parley prune` removes leftover data.',
  },
  disk_names_nearly_used: {
    says: (value, detail) => `The disk at ${detail} has used ${value}% of its inodes.`,
    remedy: 'Remove files, or create a file system with more inodes.',
  },
  descriptors_few: {
    says: (value) =>
      `The process's descriptor limit is ${value}, which is about the number of clients that can connect.`,
    remedy: 'Raise the limit: LimitNOFILE=65536 in a systemd unit, or ulimit -n.',
  },
  descriptors_nearly_used: {
    says: (value) => `The process has used ${value}% of its descriptors.`,
    remedy: 'Raise the limit: LimitNOFILE=65536 in a systemd unit, or ulimit -n.',
  },
  memory_nearly_used: {
    says: (value) => `Only ${value} MiB of memory are left.`,
    remedy: 'Give the machine or container more memory, or stop other programs.',
  },
  clock_differs: {
    says: (value) =>
      `The clocks of this machine and the database differ by ${formatCount(value, 'second', 'seconds')}.`,
    remedy: 'Synchronize both clocks with NTP.',
  },
  clock_behind_log: {
    says: (value) => `The clock is ${formatCount(value, 'second', 'seconds')} behind the latest record.`,
    remedy: 'Set the clock, and synchronize it with NTP.',
  },
  database_unreachable: {
    says: (_, detail) => `The database is unreachable${detail === '' ? '' : `: ${detail}`}.`,
    remedy: 'Check the database log, and that DATABASE_URL or PARLEY_DATA_DIR is right.',
  },
  database_read_only: {
    says: () => 'The database is read-only.',
    remedy:
      'Point DATABASE_URL at the primary, or find out why it is read-only: a full disk, or default_transaction_read_only.',
  },
  database_full: {
    says: () => 'The database is out of space.',
    remedy: 'Enlarge its disk, or free space on it. Acknowledged changes are safe.',
  },
  database_slow: {
    says: (value) => `The database took ${value} ms to answer a small query.`,
    remedy: 'Check the load on its disk, processors, and network.',
  },
  database_damaged: {
    says: (value) => `The database found ${formatCount(value, 'damaged block', 'damaged blocks')}.`,
    remedy: 'Check the disk, and restore the latest backup to another disk.',
  },
  schema_missing: {
    says: () => 'The database is empty: no server has used it yet.',
    remedy: 'Start the server to create the tables. If organizations should exist, correct DATABASE_URL.',
  },
  schema_old: {
    says: (value) =>
      `The database schema is from an older version: ${formatCount(value, 'migration is', 'migrations are')} pending.`,
    remedy: 'Make a backup, then start this version to migrate.',
  },
  schema_newer: {
    says: (_, detail) => `The database schema is from a newer version (${detail}).`,
    remedy: 'Start that version or a newer one.',
  },
  database_not_durable: {
    says: (_, detail) => `A database crash can lose acknowledged changes: ${detail} is off.`,
    remedy: 'Turn it on in the PostgreSQL configuration, and reload the configuration.',
  },
  database_connections_few: {
    says: (value) =>
      `The database accepts only ${formatCount(value, 'more connection', 'more connections')}. Each server uses up to ${MAX_CONNECTIONS}.`,
    remedy: 'Raise max_connections, or close other connections.',
  },
  database_memory_small: {
    says: (value) => `The database cache is only ${value} MiB.`,
    remedy: "Set shared_buffers to a quarter of the machine's memory.",
  },
  replicas_left_out: {
    says: (value, detail) =>
      `${formatCount(value, 'database replica is', 'database replicas are')} not being read: ${detail}.`,
    remedy: 'Check that DATABASE_REPLICA_URLS lists standbys that replay from the primary, and check their logs.',
  },
  bus_away: {
    says: (_, detail) =>
      `Servers learn of changes up to a second late, and typing indicators are incomplete${detail === '' ? '' : `: ${detail}`}.`,
    remedy: 'Start the NATS server, and check BUS_URL and its credentials.',
  },
  indexes_invalid: {
    says: (value, detail) => `${formatCount(value, 'index is', 'indexes are')} invalid: ${detail}.`,
    remedy: 'Rebuild each index: REINDEX INDEX CONCURRENTLY.',
  },
  files_missing: {
    says: (value, detail) => `${value} of the latest uploaded files cannot be read, for example ${detail}.`,
    remedy:
      'On all servers, set PARLEY_FILES and PARLEY_DATA_DIR as they were when the files were uploaded. Check that the data directory is complete and belongs to the account that runs Parley. If so, restore the files from a backup.',
  },
  files_elsewhere: {
    says: (value, detail) => `None of the latest uploaded files are in ${detail} (${value} checked).`,
    remedy:
      'On all servers, set PARLEY_FILES and PARLEY_DATA_DIR as they were when the files were uploaded. If they are unchanged, restore the files from a backup.',
  },
  file_store_away: {
    says: (_, detail) => `The file store is unreachable: ${detail}.`,
    remedy: 'Check PARLEY_FILES, the permissions of AWS_ACCESS_KEY_ID, and the network.',
  },
  backup_none: {
    says: () => 'No backup by `parley backup` was found.',
    remedy: 'Run `parley backup DIR` and `parley verify DIR` every night. Ignore this if you back up another way.',
  },
  backup_old: {
    says: (value, detail) => `The latest backup is ${formatCount(value, 'day', 'days')} old: ${detail}.`,
    remedy: 'Find out why `parley backup` did not run or failed.',
  },
  backup_unverified: {
    says: (_, detail) => `No backup from the last month has been verified. The latest is ${detail}.`,
    remedy: 'Run `parley verify` on the latest backup, with the same PARLEY_DATA_DIR.',
  },
  work_late: {
    says: (value, detail) => `${formatCount(value, 'job is', 'jobs are')} more than 10 minutes late: ${detail}.`,
    remedy: 'Check the server log for errors.',
  },
  events_left: {
    says: (value) =>
      `In ${formatCount(value, 'organization', 'organizations')}, work after events has been stuck for more than 10 minutes.`,
    remedy: 'Check the server log for errors, and restart the server.',
  },
  removals_left: {
    says: (value) => `${formatCount(value, 'organization was', 'organizations were')} only partly deleted.`,
    remedy: 'Run `parley prune`.',
  },
  search_incomplete: {
    says: (value) => `Search does not find ${formatCount(value, 'older message', 'older messages')} yet.`,
    remedy: 'Wait: running servers index up to 2,000 messages a second.',
  },
  file_search_incomplete: {
    says: (value) => `Search does not find the text of ${formatCount(value, 'file', 'files')} yet.`,
    remedy: 'Wait: running servers read files one after another.',
  },
  mail_unreachable: {
    says: (_, detail) => `The mail server is unreachable: ${detail}.`,
    remedy: 'Check PARLEY_SMTP_URL, its credentials, and the network.',
  },
  identity_provider_unreachable: {
    says: (_, detail) => `The identity provider is unreachable: ${detail}.`,
    remedy: 'Check that PARLEY_OIDC_ISSUER is the URL that serves /.well-known/openid-configuration, and the network.',
  },
  identity_provider_unverified: {
    says: (_, detail) =>
      `The identity provider at ${detail} does not list the claim email_verified, so sign-ins may be refused.`,
    remedy:
      'Make it send email_verified. If people cannot choose their email there, set PARLEY_OIDC_TRUST_EMAIL=on instead.',
  },
  address_unreachable: {
    says: (_, detail) => `The server is running but unreachable at ${detail}.`,
    remedy: 'Check that the proxy forwards to HOST and PORT, and that no firewall blocks it.',
  },
  address_taken: {
    says: (_, detail) => `Another program is listening on ${detail}.`,
    remedy: 'Stop that program, or choose another PORT.',
  },
  address_unencrypted: {
    says: (_, detail) => `People reach the server at ${detail} without encryption.`,
    remedy: 'Put a TLS proxy in front of it, and set PARLEY_URL to its https URL.',
  },
  address_of_developers: {
    says: (_, detail) =>
      `PARLEY_DEVELOPMENT is on, and the server is reachable at ${detail}. Everyone who reaches it can sign in to every account.`,
    remedy: 'Unset PARLEY_DEVELOPMENT.',
  },
}

export function describeFinding(finding: Finding): string {
  if (finding.state === 'ok') return finding.detail === undefined ? 'OK.' : `OK: ${finding.detail}.`
  return PROBLEM_TEXTS[finding.trouble].says(finding.value ?? 0, finding.detail ?? '')
}

export function findRemedy(finding: Finding): string | undefined {
  return finding.state === 'ok' ? undefined : PROBLEM_TEXTS[finding.trouble].remedy
}
