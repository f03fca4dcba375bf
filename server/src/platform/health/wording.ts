import { counted } from '../../kernel/phrases.ts'
import type { Check, Finding, Trouble } from '../../kernel/finding.ts'

export const TITLES: Readonly<Record<Check, string>> = {
  data_directory: 'Data directory',
  disk: 'Disk',
  descriptors: 'Descriptors',
  memory: 'Memory',
  clock: 'Clock',
  database: 'Database',
  schema: 'Schema',
  database_settings: 'Settings of the database',
  replicas: 'Replicas',
  bus: 'Bus',
  indexes: 'Indexes',
  files: 'Files',
  backup: 'Backup',
  work: 'Work',
  mail: 'E-mail',
  identity_provider: 'Identity provider',
  address: 'Address',
}

interface Words {
  readonly says: (value: number, detail: string) => string
  readonly remedy: string
}

const WORDS: Readonly<Record<Trouble, Words>> = {
  look_failed: {
    says: (_, detail) => `This cannot be looked at: ${detail}.`,
    remedy: 'See whether PARLEY_DATA_DIR leads to the data, and run the command as the account that runs the server.',
  },
  data_directory_of_another: {
    says: (value, detail) => `${detail} belongs to the account ${value}.`,
    remedy: 'Run Parley as that account, or give the directory to the one that runs it.',
  },
  data_directory_open: {
    says: (_, detail) => `Other accounts of this machine may write to ${detail}.`,
    remedy: 'Take the right from them: chmod 700.',
  },
  disk_full: {
    says: (value, detail) => `Only ${value} MiB are free at ${detail}; the database stops when there is nothing left.`,
    remedy: 'Make room, or move the data directory to a larger disk. `parley prune` removes what has outlived its use.',
  },
  disk_nearly_full: {
    says: (value, detail) => `Only ${value} MiB are free at ${detail}.`,
    remedy: 'Make room before it is full. `parley prune` removes what has outlived its use.',
  },
  disk_names_nearly_used: {
    says: (value, detail) => `${value} % of the files that the disk of ${detail} can have are there.`,
    remedy: 'Remove files, or make a file system with more inodes.',
  },
  descriptors_few: {
    says: (value) =>
      `The process may have ${counted(value, 'descriptor', 'descriptors')}, about as many as clients can be connected.`,
    remedy: 'Raise the limit: LimitNOFILE=65536 in a unit of systemd, or ulimit -n.',
  },
  descriptors_nearly_used: {
    says: (value) => `${value} % of the descriptors that the process may have are in use.`,
    remedy: 'Raise the limit: LimitNOFILE=65536 in a unit of systemd, or ulimit -n.',
  },
  memory_nearly_used: {
    says: (value) => `Only ${value} MiB of memory are left.`,
    remedy: 'Give the machine or the container more memory, or end other programs.',
  },
  clock_differs: {
    says: (value) => `The clocks of this machine and of the database differ by ${counted(value, 'second', 'seconds')}.`,
    remedy: 'Have both set their clocks by NTP.',
  },
  clock_behind_log: {
    says: (value) => `The clock is ${counted(value, 'second', 'seconds')} behind what was written last.`,
    remedy: 'Set the clock, and have it set by NTP from then on.',
  },
  database_unreachable: {
    says: (_, detail) => `The database cannot be asked${detail === '' ? '' : `: ${detail}`}.`,
    remedy:
      'If that does not say what to do, look into its log, and see whether DATABASE_URL or PARLEY_DATA_DIR lead to it.',
  },
  database_read_only: {
    says: () => 'The database takes no writes.',
    remedy:
      'Lead DATABASE_URL to the primary, or find out why it is read only: a full disk, or default_transaction_read_only.',
  },
  database_full: {
    says: () => 'The database has no room for what is written.',
    remedy: 'Give its disk more room, or remove what else lies there. What was acknowledged is safe.',
  },
  database_slow: {
    says: (value) => `The database took ${value} ms for a small question.`,
    remedy: 'See what keeps it busy: its disk, its processors, or the way there.',
  },
  database_damaged: {
    says: (value) =>
      `The database has found ${counted(value, 'block that is not as it was', 'blocks that are not as they were')} written.`,
    remedy: 'Check the disk, and restore the latest backup to another one.',
  },
  schema_missing: {
    says: () => 'The database is empty: no server has started on it yet.',
    remedy:
      'The first start makes its tables. If there should be organizations, DATABASE_URL leads to another database than it should.',
  },
  schema_old: {
    says: (value) => `The database is of an older version: ${counted(value, 'step is', 'steps are')} left.`,
    remedy: 'The next start of this version takes them. Make a backup first.',
  },
  schema_newer: {
    says: (_, detail) => `A newer version has changed the database (${detail}).`,
    remedy: 'Start that version, or a later one.',
  },
  database_not_durable: {
    says: (_, detail) => `What was acknowledged may be lost when the database ends abruptly: ${detail} is off.`,
    remedy: 'Switch it on in the configuration of PostgreSQL, and reload that.',
  },
  database_connections_few: {
    says: (value) =>
      `The database has room for only ${counted(value, 'more connection', 'more connections')}; each server takes up to ten.`,
    remedy: 'Raise max_connections, or end what holds them.',
  },
  database_memory_small: {
    says: (value) => `The database has ${value} MiB of memory for what it reads often.`,
    remedy: 'Set shared_buffers to a quarter of its machine.',
  },
  replicas_left_out: {
    says: (value, detail) =>
      `${counted(value, 'replica of the database is', 'replicas of the database are')} not read from: ${detail}.`,
    remedy:
      'See whether DATABASE_REPLICA_URLS leads to standbys of the primary that replay what it writes, and what their logs say.',
  },
  bus_away: {
    says: (_, detail) =>
      `The servers hear of each other up to a second late, and not who types${detail === '' ? '' : `: ${detail}`}.`,
    remedy: 'Start the NATS server, and see whether BUS_URL leads to it, with its login.',
  },
  indexes_invalid: {
    says: (value, detail) => `${counted(value, 'index is', 'indexes are')} not in use: ${detail}.`,
    remedy: 'Make each anew: REINDEX INDEX CONCURRENTLY.',
  },
  files_missing: {
    says: (value, detail) => `${value} of the latest uploaded files cannot be read, as ${detail}.`,
    remedy:
      'They may be at another place: see whether PARLEY_FILES and PARLEY_DATA_DIR say here what they said where the files were uploaded, and say the same on all servers. See whether all of the data directory is there and belongs to the account that runs Parley. Where all of that is so, restore the files from a backup.',
  },
  files_elsewhere: {
    says: (value, detail) => `None of the latest uploaded files (${value}) is in ${detail}.`,
    remedy:
      'They are most likely at another place: have PARLEY_FILES and PARLEY_DATA_DIR say here what they said where the files were uploaded, and the same on all servers. Only where they do, restore the files from a backup.',
  },
  file_store_away: {
    says: (_, detail) => `Uploaded files cannot be reached: ${detail}.`,
    remedy:
      'See whether PARLEY_FILES leads to the bucket, AWS_ACCESS_KEY_ID may use it, and this machine reaches the storage.',
  },
  backup_none: {
    says: () => 'No backup of this server was made by `parley backup`.',
    remedy:
      'Run `parley backup DIR` each night, and `parley verify DIR` after it. Where others back it up, this may stay.',
  },
  backup_old: {
    says: (value, detail) => `The latest backup is ${counted(value, 'day', 'days')} old: ${detail}.`,
    remedy: 'See why `parley backup` has not run since, or failed.',
  },
  backup_unverified: {
    says: (_, detail) => `No backup of the last month was proved to be whole; the latest is ${detail}.`,
    remedy: 'Run `parley verify` of the latest backup, with the same PARLEY_DATA_DIR.',
  },
  work_late: {
    says: (value, detail) =>
      `${counted(value, 'piece of work is', 'pieces of work are')} more than ten minutes late: ${detail}.`,
    remedy: 'Look into the log of the server for why they fail.',
  },
  events_left: {
    says: (value) =>
      `In ${counted(value, 'organization', 'organizations')}, what has to happen after events has not happened for more than ten minutes.`,
    remedy: 'Look into the log of the server for why it fails, and restart it.',
  },
  removals_left: {
    says: (value) => `${counted(value, 'organization was', 'organizations were')} not deleted completely.`,
    remedy: 'Run `parley prune`.',
  },
  mail_unreachable: {
    says: (_, detail) => `The mail server does not take e-mails: ${detail}.`,
    remedy: 'See whether PARLEY_SMTP_URL is right, with its login, and whether this machine reaches it.',
  },
  identity_provider_unreachable: {
    says: (_, detail) => `The identity provider cannot be used: ${detail}.`,
    remedy:
      'See whether PARLEY_OIDC_ISSUER is the address below which /.well-known/openid-configuration is, and whether this machine reaches it.',
  },
  identity_provider_unverified: {
    says: (_, detail) =>
      `The identity provider at ${detail} does not list the claim email_verified, so it may sign nobody in.`,
    remedy:
      'Have it send email_verified. If people cannot choose their address there, set PARLEY_OIDC_TRUST_EMAIL=on instead.',
  },
  address_unreachable: {
    says: (_, detail) => `The server runs, and does not answer at ${detail}.`,
    remedy: 'See whether the proxy leads to HOST and PORT, and whether a firewall is in the way.',
  },
  address_taken: {
    says: (_, detail) => `Another program listens at ${detail}.`,
    remedy: 'End it, or choose another PORT.',
  },
  address_unencrypted: {
    says: (_, detail) => `People reach the server at ${detail}, unencrypted.`,
    remedy: 'Put a proxy with a certificate in front of it, and set PARLEY_URL to its address with https.',
  },
  address_of_developers: {
    says: (_, detail) =>
      `PARLEY_DEVELOPMENT is on, and others reach the server at ${detail}: they can log in as anybody.`,
    remedy: 'Unset PARLEY_DEVELOPMENT.',
  },
}

export function sentenceOf(finding: Finding): string {
  if (finding.state === 'ok') return finding.detail === undefined ? 'Well.' : `Well: ${finding.detail}.`
  return WORDS[finding.trouble].says(finding.value ?? 0, finding.detail ?? '')
}

export function remedyOf(finding: Finding): string | undefined {
  return finding.state === 'ok' ? undefined : WORDS[finding.trouble].remedy
}
