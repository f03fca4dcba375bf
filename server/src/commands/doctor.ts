import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { capabilities } from '../capabilities.ts'
import {
  checkRecentFiles,
  checkFileSearchIndex,
  checkOverdueWork,
  checkSearchIndex,
} from '../capabilities/server-health/queries/index.ts'
import type { Config } from '../config.ts'
import { fileStore, mailSettings, openidProvider } from '../server-from-config.ts'
import { CHECK_NAMES, noticeFinding, okFinding, wrongFinding, type Finding } from '../kernel/finding.ts'
import { formatCount, messageOf } from '../kernel/phrases.ts'
import { organizationsWithUnhandledEvents } from '../platform/consumers/cursors.ts'
import { findBusProblem } from '../platform/bus/nats.ts'
import { parseBusServers } from '../platform/bus/nats-servers.ts'
import { openDatabase, type Database } from '../platform/db/database.ts'
import { tryReplica } from '../platform/db/replicas.ts'
import { allMigrations } from '../platform/db/migrations/index.ts'
import { DataDirectoryInUseError } from '../platform/embedded/index.ts'
import {
  checkBackups,
  runCheck,
  checkAddress,
  checkFileStore,
  checkMail,
  checkReplicas,
} from '../platform/health/checkup.ts'
import { checkDatabaseHealth, checkEmptiness, checkHealth, checkSchema } from '../platform/health/database-checks.ts'
import { openHealth } from '../platform/health/health.ts'
import { checkDataDirectory, checkDescriptors, checkDisk, checkMemory } from '../platform/health/machine.ts'
import { findRemedy, describeFinding, CHECK_TITLES } from '../platform/health/wording.ts'
import { pendingRemovals } from '../platform/log/organization-rows.ts'
import { recordedIdentity } from '../platform/log/restored.ts'
import { createLogger } from '../platform/logger.ts'
import { openMailer } from '../platform/mail/mailer.ts'
import { consumerNames } from '../start.ts'
import { CliError, loadConfig, isErrorWithCode, parseCommand, type Command, type Terminal } from './command.ts'
import { openOrJoinDatabase, withConnection, type OpenedDatabase } from './database.ts'
import { jsonOption, JSON_USAGE, printJson, printTable } from './output.ts'
import { requireFreePort } from './serving.ts'
import { withServedSettings } from './served.ts'

/** Unhandled events older than this count as late. */
const OVERDUE_AFTER_SECONDS = 600
const ANSWER_TIMEOUT_MILLISECONDS = 5_000
const NOT_READY_STATUS = 503
/** Statuses with which proxies report an unreachable server. */
const UNREACHABLE_STATUSES = [502, NOT_READY_STATUS, 504]

export const doctor: Command = {
  usage: `Usage: parley doctor [--json]

Diagnose the server and suggest fixes: data directory, disk, descriptors, memory, clock, database with its schema, settings,
and indexes, uploaded files, backups, late jobs, replicas, bus, mail server, identity provider, and URL. Changes nothing.
Exits with 1 if it finds a problem; notices are not problems.

${JSON_USAGE}`,

  async run(args, terminal) {
    const { values } = parseCommand(args, [], jsonOption)
    const config = loadConfig(terminal)
    // Handles Ctrl-C, so that a database started by doctor does not keep running.
    terminal.stopSignal()
    const findings = (await collectFindings(config, terminal)).toSorted(
      (one, other) => CHECK_NAMES.indexOf(one.check) - CHECK_NAMES.indexOf(other.check),
    )
    const count = findings.filter(({ state }) => state === 'wrong').length
    if (values.json) printJson(terminal, { is_well: count === 0, findings: findings.map(jsonRecord) })
    else printFindings(findings, terminal)
    if (count > 0) throw new CliError(`${formatCount(count, 'problem', 'problems')} found.`)
  },
}

function printFindings(findings: readonly Finding[], terminal: Terminal): void {
  const rows = findings.flatMap((finding) => {
    const remedy = findRemedy(finding)
    const first = [finding.state, CHECK_TITLES[finding.check], describeFinding(finding)]
    return remedy === undefined ? [first] : [first, ['', '', remedy]]
  })
  printTable(terminal, rows)
}

function jsonRecord(finding: Finding): object {
  const trouble = finding.state === 'ok' ? null : finding.trouble
  const value = finding.state === 'ok' ? null : finding.value
  const message = describeFinding(finding)
  return { check: finding.check, state: finding.state, trouble, value, message, remedy: findRemedy(finding) ?? null }
}

async function collectFindings(config: Config, terminal: Terminal): Promise<readonly Finding[]> {
  const served = await withServedSettings(config)
  const logger = createLogger('silent')
  const opened = await openOrJoinDatabase(config, logger).catch((error: unknown) => {
    if (error instanceof CliError) return error
    throw error
  })
  try {
    const isReached = !(opened instanceof CliError)
    const isInUse = isReached ? opened.shared : opened.cause instanceof DataDirectoryInUseError
    // A killed server leaves its record behind, so the record alone does not prove that a server is running.
    const isRunning = served !== config && (config.DATABASE_URL !== undefined || isInUse)
    const directory = config.PARLEY_DATA_DIR
    const mailer = openMailer(mailSettings(config), logger)
    const parts = await Promise.all([
      runCheck('data_directory', async () => checkDataDirectory(directory, terminal.userId)),
      runCheck('disk', async () => checkDisk(directory)),
      runCheck('descriptors', async () => checkServerDescriptors(directory)),
      runCheck('memory', checkMemory),
      runCheck('backup', async () => checkBackups(directory)),
      isReached
        ? checkOpenedDatabase(opened, config, isRunning)
        : [wrongFinding('database', 'database_unreachable', null, opened.message.replace(/\.$/, ''))],
      checkMail(mailer),
      runCheck('identity_provider', async () => checkIdentityProvider(config, logger), 'identity_provider_unreachable'),
      runCheck('files', async () => checkFileStore(fileStore(config))),
      isReached ? runCheck('replicas', async () => checkConfiguredReplicas(opened, config)) : [],
      config.BUS_URL === undefined ? [] : runCheck('bus', async () => checkNats(config.BUS_URL ?? '')),
      isRunning ? checkServerAddress(served) : checkListening(config),
    ])
    return withoutConsequences(parts.flat())
  } finally {
    if (!(opened instanceof CliError)) await opened.close()
  }
}

/** Omits findings that follow from an unreachable database, such as an unready server or a 503 from a proxy. */
function withoutConsequences(findings: readonly Finding[]): readonly Finding[] {
  const isAway = findings.some(({ check, state }) => check === 'database' && state === 'wrong')
  const isFollowing = (finding: Finding): boolean =>
    finding.state !== 'ok' && finding.trouble === 'address_unreachable' && finding.value === NOT_READY_STATUS
  return isAway ? findings.filter((finding) => !isFollowing(finding)) : findings
}

/** Checks the descriptors of the local server or, if there is none, of this process. */
async function checkServerDescriptors(directory: string): Promise<Finding | undefined> {
  const [lock] = await readdir(join(directory, 'lock')).catch(() => [])
  const processId = Number(lock?.split('-')[0])
  const found = Number.isSafeInteger(processId) ? await checkDescriptors(processId) : undefined
  return found ?? checkDescriptors('self')
}

/** Checks a database of any version without changing it. */
async function checkOpenedDatabase(
  opened: OpenedDatabase,
  config: Config,
  isRunning: boolean,
): Promise<readonly Finding[]> {
  const database = openDatabase(opened.connection, config.PARLEY_REQUEST_DEADLINE_SECONDS, {
    onError: () => undefined,
  })
  try {
    const { reads } = database
    const emptiness = await checkEmptiness(reads)
    if (emptiness !== undefined) return [emptiness]
    const health = await checkHealth(openHealth({ reads, logs: { loaded: () => [] } }))
    if (health.some(({ state }) => state === 'wrong')) return await addDatabaseError(health, database)
    const schema = await runCheck('schema', async () => checkSchema(reads, allMigrations(capabilities)))
    // This version's queries may fail on another version's tables.
    if (schema.some(({ state }) => state !== 'ok')) return schema
    const checks = [
      runCheck('database', async () => checkDatabaseHealth(reads, config.DATABASE_URL === undefined)),
      runCheck('files', async () => checkRecentFiles(reads, fileStore(config), null)),
      // While no server runs, all work is overdue, so it is not reported.
      runCheck('work', async () =>
        isRunning ? checkPendingWork(database, config) : okFinding('work', 'no server is running'),
      ),
      runCheck('work', async () => {
        const { length } = await pendingRemovals(database.pool)
        return length > 0 ? noticeFinding('work', 'removals_left', length) : undefined
      }),
      runCheck('work', async () => checkSearchIndex(reads, null)),
      runCheck('work', async () => checkFileSearchIndex(reads, null)),
    ]
    return [...schema, ...(await Promise.all(checks)).flat()]
  } finally {
    await database.close()
  }
}

/** Adds the connection error, which `/readyz` omits because it contains host and user names. */
async function addDatabaseError(findings: readonly Finding[], { reads }: Database): Promise<readonly Finding[]> {
  const reason = await reads.rows('doctor_reason', 'select 1', []).then(() => undefined, messageOf)
  return findings.map((finding) => ({ ...finding, detail: reason }))
}

async function checkPendingWork({ reads }: Database, config: Config): Promise<readonly Finding[]> {
  const before = Math.floor(Date.now() / 1000) - OVERDUE_AFTER_SECONDS
  const left = await organizationsWithUnhandledEvents(reads, consumerNames(config), before)
  const finding = await checkOverdueWork(reads, null)
  return left.length > 0 ? [finding, wrongFinding('work', 'events_left', left.length)] : [finding]
}

async function checkConfiguredReplicas(opened: OpenedDatabase, config: Config): Promise<Finding | undefined> {
  const urls = config.DATABASE_REPLICA_URLS ?? []
  const place = urls.length === 0 ? undefined : await withConnection(opened, recordedIdentity)
  return checkReplicas(await Promise.all(urls.map(async (url) => tryReplica(url, place))))
}

async function checkIdentityProvider(
  config: Config,
  logger: Parameters<typeof openidProvider>[1],
): Promise<Finding | undefined> {
  const provider = openidProvider(config, logger)
  const issuer = config.PARLEY_OIDC_ISSUER
  if (provider === undefined) return undefined
  const { confirmsAddresses } = await provider.verify()
  return confirmsAddresses
    ? okFinding('identity_provider', `${issuer} is reachable`)
    : noticeFinding('identity_provider', 'identity_provider_unverified', null, issuer)
}

async function checkNats(url: string): Promise<Finding> {
  const failure = await findBusProblem(url)
  return failure === undefined
    ? okFinding('bus', `NATS is reachable at ${parseBusServers(url).name}`)
    : wrongFinding('bus', 'bus_away', null, failure)
}

async function checkServerAddress(served: Config): Promise<readonly Finding[]> {
  const url = served.PARLEY_URL ?? ''
  try {
    const { status } = await fetch(new URL('/healthz', url), {
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MILLISECONDS),
    })
    if (UNREACHABLE_STATUSES.includes(status)) return [wrongFinding('address', 'address_unreachable', status, url)]
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : ''
    return [wrongFinding('address', 'address_unreachable', null, `${url}${cause}`)]
  }
  const found = checkAddress({ url: () => url, host: served.HOST, isForDevelopers: served.PARLEY_DEVELOPMENT })
  return [found.state === 'ok' ? okFinding('address', `the server is reachable at ${url}`) : found]
}

async function checkListening(config: Config): Promise<readonly Finding[]> {
  const { HOST: host, PORT: port } = config
  try {
    await requireFreePort(config)
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    if (isErrorWithCode(error.cause, ['EADDRINUSE']))
      return [wrongFinding('address', 'address_taken', port, `${host}:${port}`)]
    return [wrongFinding('address', 'look_failed', null, error.message)]
  }
  const url = config.PARLEY_URL ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  return [checkAddress({ url: () => url, host, isForDevelopers: config.PARLEY_DEVELOPMENT })]
}
