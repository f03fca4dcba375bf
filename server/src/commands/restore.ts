import { resolve } from 'node:path'
import { capabilities } from '../capabilities.ts'
import { endAllSessions } from '../capabilities/sessions/actions/index.ts'
import type { Config } from '../config.ts'
import { formatCount } from '../kernel/phrases.ts'
import { DamagedBackup } from '../platform/backup/reporting.ts'
import { readManifest, countRows, type Manifest } from '../platform/backup/manifest.ts'
import {
  markRestoreStarted,
  markRestoreComplete,
  requireEmptyFileStore,
  restoreDatabase,
  restoreFiles,
  undoRestore,
  type RestoredDatabase,
} from '../platform/backup/restore.ts'
import { refuseUnknownMigrations } from '../platform/db/migrate.ts'
import { allMigrations } from '../platform/db/migrations/index.ts'
import { fileStore } from '../server-from-config.ts'
import { createLogger } from '../platform/logger.ts'
import { reportStopOrFullDisk } from './backup.ts'
import { CliError, loadConfig, DamageError, toCliError, parseCommand, type Command, type Terminal } from './command.ts'
import { openNewDatabase, refuseForeignOrRestoring, withConnection, type OpenedDatabase } from './database.ts'
import { showProgress, type Progress } from './output.ts'
import { withStore } from './store.ts'

export const restore: Command = {
  usage: `Usage: parley restore DIR [--end-sessions] [--json]

Restore a backup into an empty data folder (PARLEY_DATA_DIR) and, with DATABASE_URL, an empty database. Verifies the
checksum of each file. IDs skip ahead of any that clients may have seen, and all event queues end: clients register
again automatically. Start the server afterward.

  --end-sessions             sign everyone out of all browsers; API keys and API tokens stay valid
  --json                     print the result as JSON

Exit codes: 0 the backup is restored. Otherwise nothing is left behind: 3 the backup is damaged, 1 it could not be
restored, 2 invalid command line.`,

  async run(args, terminal) {
    const { positionals, values } = parseCommand(args, ['DIR'], {
      'end-sessions': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    })
    const [folder = ''] = positionals
    const config = loadConfig(terminal)
    const begun = performance.now()
    const manifest = await readCompatibleManifest(folder)
    const { leftOut, distance } = await restoreIntoEmpty(folder, manifest, config, terminal)
    if (values['end-sessions']) await signOut(terminal, manifest)
    for (const name of leftOut) terminal.warn(`Skipped table ${name}: not a Parley table.`)
    const seconds = Math.round((performance.now() - begun) / 100) / 10
    const { organizations, files, snapshotAt } = manifest
    const positions = organizations.map(({ id, subdomain, position }) => ({
      id,
      subdomain,
      position: position + distance,
    }))
    const facts = { directory: resolve(folder), snapshot_at: snapshotAt, organizations: positions, files, seconds }
    terminal.print(
      values.json
        ? JSON.stringify(facts)
        : [
            `Restored ${resolve(folder)} in ${seconds} s, as of ${new Date(snapshotAt * 1000).toISOString()}:`,
            `  ${formatCount(organizations.length, 'organization', 'organizations')}, ${formatCount(countRows(manifest), 'row', 'rows')}, ${formatCount(files, 'file', 'files')}.`,
            '  Later changes are lost. New IDs continue above all earlier ones.',
            'Start the server: parley start',
          ].join('\n'),
    )
  },
}

async function readCompatibleManifest(folder: string): Promise<Manifest> {
  const manifest = await toCliError(toDamageError(readManifest(folder)))
  try {
    refuseUnknownMigrations(manifest.migrations, allMigrations(capabilities))
  } catch (error) {
    throw new CliError(
      `${resolve(folder)} was made by Parley ${manifest.parley}, which is newer than this version. Restore it with that version or a newer one.`,
      { cause: error },
    )
  }
  return manifest
}

async function restoreIntoEmpty(
  folder: string,
  manifest: Manifest,
  config: Config,
  terminal: Terminal,
): Promise<RestoredDatabase> {
  const dataDirectory = config.PARLEY_DATA_DIR
  const files = fileStore(config)
  const signal = terminal.stopSignal()
  const progress = showProgress(terminal, {
    files: { label: 'Restoring files', isBytes: true },
    rows: { label: 'Restoring the rows', isBytes: false },
    indexes: { label: 'Building indexes and checking constraints', isBytes: false },
  })
  await refuseForeignOrRestoring(dataDirectory)
  await toCliError(requireEmptyFileStore(files))
  await toCliError(markRestoreStarted(dataDirectory))
  try {
    const restoring = { dataDirectory, files, report: progress.report, signal }
    await reportStopOrFullDisk(toDamageError(restoreFiles(folder, manifest, restoring)), signal, resolve(dataDirectory))
    const database = await openNewDatabase(config, createLogger(config.PARLEY_LOG_LEVEL, 'stderr'))
    let restored: RestoredDatabase
    try {
      restored = await reportStopOrFullDisk(
        toDamageError(restoreIntoDatabase(database, folder, manifest, progress, signal)),
        signal,
        database.description,
      )
    } finally {
      await database.close()
    }
    await markRestoreComplete(dataDirectory)
    return restored
  } catch (error) {
    await toCliError(
      undoRestore(dataDirectory, files),
      'Some files of the backup may remain in the store of PARLEY_FILES',
    )
    throw error
  } finally {
    progress.end()
  }
}

async function restoreIntoDatabase(
  database: OpenedDatabase,
  folder: string,
  manifest: Manifest,
  { report }: Progress,
  signal: AbortSignal,
): Promise<RestoredDatabase> {
  const { dataDirectory } = database
  const migrations = allMigrations(capabilities)
  return withConnection(database, async (client) =>
    restoreDatabase({ client, folder, manifest, migrations, report, signal, dataDirectory }),
  )
}

async function signOut(terminal: Terminal, { organizations }: Manifest): Promise<void> {
  const ending = withStore(
    terminal,
    async ({ logs }) => {
      for (const { id } of organizations) await logs.use(id, async (log) => log.write(endAllSessions))
    },
    { use: 'serve' },
  )
  await toCliError(ending, 'The backup is restored, but sessions could not be ended')
}

async function toDamageError<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof DamagedBackup)) throw error
    throw new DamageError(`The backup is damaged. ${error.message}`, { cause: error })
  }
}
