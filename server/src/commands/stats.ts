import {
  countOrganizations,
  sizeOfDatabase,
  type OrganizationCounts,
} from '../capabilities/server-health/queries/statistics.ts'
import { VERSION } from '../version.ts'
import { parseCommand, type Command } from './command.ts'
import { jsonOption, JSON_USAGE, printJson, printTable, formatBytes } from './output.ts'
import { withStore } from './store.ts'

export const stats: Command = {
  usage: `Usage: parley stats [--json]

Print statistics of each organization and the database: people, bots, deactivated accounts, channels, archived channels,
messages, files and their size, log position and stored events, event queues, pending jobs, and database size. Reads
every table, which takes a while on a large server.

${JSON_USAGE}`,

  async run(args, terminal) {
    const { values } = parseCommand(args, [], jsonOption)
    const [organizations, database] = await withStore(
      terminal,
      async ({ database: { reads } }) => Promise.all([countOrganizations(reads), sizeOfDatabase(reads)]),
      { use: 'look' },
    )
    if (values.json) {
      printJson(terminal, { version: VERSION, database, organizations })
      return
    }
    terminal.print(`Parley    ${VERSION}`)
    terminal.print(`Database  PostgreSQL ${database.version}, ${formatBytes(database.bytes)}`)
    terminal.print('')
    printTable(terminal, [COLUMN_HEADINGS, ...organizations.map(formatRow)])
  },
}

const COLUMN_HEADINGS = [
  'ORGANIZATION',
  'PEOPLE',
  'BOTS',
  'DEACTIVATED',
  'CHANNELS',
  'ARCHIVED',
  'MESSAGES',
  'FILES',
  'SIZE',
  'POSITION',
  'EVENTS',
  'QUEUES',
  'WORK',
  'NAME',
]

function formatRow(counts: OrganizationCounts): string[] {
  const { subdomain, name, is_deactivated: isDeactivated, people, bots, channels, messages, files } = counts
  const { deactivated_accounts: ended, archived_channels: archived } = counts
  return [
    subdomain === '' ? '-' : subdomain,
    ...[people, bots, ended, channels, archived, messages, files].map(String),
    formatBytes(counts.file_bytes),
    ...[counts.position, counts.events, counts.queues, counts.work].map(String),
    isDeactivated ? `${name} (deactivated)` : name,
  ]
}
