import { inspect } from 'node:util'
import { ApiError } from '../kernel/refusal.ts'
import { VERSION } from '../version.ts'
import { CliError, DamageError, UsageError, type Command, type Terminal } from './command.ts'
import { backup } from './backup.ts'
import { demo } from './demo.ts'
import { doctor } from './doctor.ts'
import { filesMove } from './files-move.ts'
import { exportOrganization } from './export.ts'
import { importMattermost, importParley, importSlack, importZulip } from './import.ts'
import { lockDown } from './lock-down.ts'
import { organizationCreate } from './organization-create.ts'
import { organizationDeactivate, organizationReactivate } from './organization-deactivation.ts'
import { organizationDelete } from './organization-delete.ts'
import { organizationList, organizationShow } from './organization-show.ts'
import { prune } from './prune.ts'
import { restore } from './restore.ts'
import { start } from './start.ts'
import { stats } from './stats.ts'
import { upgradeDatabase } from './upgrade-database.ts'
import { userCreate, userList, userRole } from './user-accounts.ts'
import { userDeactivate, userReactivate } from './user-deactivation.ts'
import { userApiKey, userPassword, userRemoveSecondFactor } from './user-access.ts'
import { verify } from './verify.ts'

const COMMANDS: Readonly<Record<string, { readonly summary: string; readonly command: Command }>> = {
  start: { summary: 'Run the server', command: start },
  'user list': { summary: 'List accounts', command: userList },
  'user create': { summary: 'Create a user or bot', command: userCreate },
  'user api-key': { summary: "Print a user's API key", command: userApiKey },
  'user password': { summary: "Change a user's password", command: userPassword },
  'user role': { summary: "Change a user's role", command: userRole },
  'user deactivate': { summary: 'Deactivate a user', command: userDeactivate },
  'user reactivate': { summary: 'Reactivate a user', command: userReactivate },
  'user remove-second-factor': {
    summary: 'Turn off two-factor authentication for a user',
    command: userRemoveSecondFactor,
  },
  'organization list': { summary: 'List all organizations', command: organizationList },
  'organization show': { summary: 'Show an organization', command: organizationShow },
  'organization create': { summary: 'Create an organization', command: organizationCreate },
  'organization deactivate': { summary: 'Deactivate an organization', command: organizationDeactivate },
  'organization reactivate': { summary: 'Reactivate an organization', command: organizationReactivate },
  'organization delete': { summary: 'Permanently delete an organization', command: organizationDelete },
  'lock-down': { summary: 'Lock an organization down against a raid', command: lockDown },
  doctor: { summary: 'Diagnose the server and suggest fixes', command: doctor },
  stats: { summary: 'Print statistics', command: stats },
  prune: { summary: 'Remove leftover data', command: prune },
  'files move': { summary: 'Copy uploaded files to another store', command: filesMove },
  backup: { summary: 'Back up everything while the server runs', command: backup },
  verify: { summary: 'Verify that a backup can be restored', command: verify },
  restore: { summary: 'Restore a backup into an empty data folder', command: restore },
  'upgrade-database': {
    summary: "Upgrade the embedded database to this version's PostgreSQL",
    command: upgradeDatabase,
  },
  export: { summary: 'Export an organization to an archive', command: exportOrganization },
  'import parley': { summary: 'Import an organization from a Parley archive', command: importParley },
  'import slack': { summary: 'Import an organization from Slack', command: importSlack },
  'import mattermost': { summary: 'Import an organization from Mattermost', command: importMattermost },
  'import zulip': { summary: 'Import an organization from Zulip', command: importZulip },
  demo: { summary: 'Run a throwaway organization with sample data', command: demo },
}

const FAILURE_EXIT_CODE = 1
const USAGE_EXIT_CODE = 2
const DAMAGE_EXIT_CODE = 3

export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await dispatchCommand(args, terminal)
    return 0
  } catch (error) {
    const isExpected = error instanceof CliError || error instanceof ApiError
    const isCurious = ['debug', 'trace'].includes(terminal.environment['PARLEY_LOG_LEVEL'] ?? '')
    terminal.warn(`parley: ${isExpected && !isCurious ? error.message : inspect(error)}`)
    if (error instanceof DamageError) return DAMAGE_EXIT_CODE
    return error instanceof UsageError ? USAGE_EXIT_CODE : FAILURE_EXIT_CODE
  }
}

async function dispatchCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  const [first, second] = args
  if (first === '--help' || first === '-h' || first === 'help') {
    terminal.print(commandOverview())
    return
  }
  if (first === '--version' || first === '-v') {
    terminal.print(VERSION)
    return
  }
  if (first === undefined) throw new UsageError(`No command given.\n\n${commandOverview()}`)
  const name = [first, `${first} ${second ?? ''}`].find((candidate) => Object.hasOwn(COMMANDS, candidate))
  const found = name === undefined ? undefined : COMMANDS[name]
  if (name === undefined || found === undefined) {
    const related = commandsInFamily(first)
    if (related.length > 0 && (second === '--help' || second === '-h')) {
      terminal.print(familyUsage(first))
      return
    }
    const reason =
      related.length > 0 ? `'${first}' needs one of: ${related.join(', ')}.` : `Unknown command '${first}'.`
    throw new UsageError(`${reason} Run parley --help.`)
  }
  const rest = args.slice(name.split(' ').length)
  const { command } = found
  const options = rest.slice(0, rest.includes('--') ? rest.indexOf('--') : undefined)
  if (options.includes('--help') || options.includes('-h')) {
    terminal.print(command.usage)
    return
  }
  try {
    await command.run(rest, terminal)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    const [firstLine = ''] = command.usage.split('\n')
    throw new UsageError(`${error.message}\n${firstLine}\nRun parley ${name} --help for details.`, { cause: error })
  }
}

function commandOverview(): string {
  return [
    'Parley, a team chat server',
    '',
    'Usage: parley COMMAND [ARGUMENTS]',
    '',
    ...summaryLines(Object.keys(COMMANDS)),
    '',
    'Run `parley COMMAND --help` for details. Settings come from the environment: HOST, PORT, PARLEY_DATA_DIR,',
    'DATABASE_URL, and others. docs/operating/settings.md lists them.',
  ].join('\n')
}

function familyUsage(family: string): string {
  return [
    `Usage: parley ${family} COMMAND [ARGUMENTS]`,
    '',
    ...summaryLines(commandsInFamily(family)),
    '',
    `Run \`parley ${family} COMMAND --help\` for details.`,
  ].join('\n')
}

function commandsInFamily(family: string): string[] {
  return Object.keys(COMMANDS).filter((name) => name.startsWith(`${family} `))
}

function summaryLines(names: readonly string[]): string[] {
  const width = Math.max(...names.map((name) => name.length)) + 2
  return names.map((name) => `  ${name.padEnd(width)}${COMMANDS[name]?.summary ?? ''}`)
}
