import { resolve } from 'node:path'
import { capabilities } from '../capabilities.ts'
import { endAllSessions } from '../capabilities/sessions/actions/index.ts'
import type { Config } from '../config.ts'
import { counted } from '../kernel/phrases.ts'
import { DamagedBackup } from '../platform/backup/reporting.ts'
import { readManifest, rowsOf, type Manifest } from '../platform/backup/manifest.ts'
import {
  beginRestoring,
  endRestoring,
  refuseFiles,
  restoreDatabase,
  restoreFiles,
  undoRestoring,
  type RestoredDatabase,
} from '../platform/backup/restore.ts'
import { refuseUnknown } from '../platform/db/migrate.ts'
import { allMigrations } from '../platform/db/migrations/index.ts'
import { fileStore } from '../facts.ts'
import { createLogger } from '../platform/logger.ts'
import { orStopped } from './backup.ts'
import {
  Complaint,
  configOf,
  DamageComplaint,
  orComplain,
  parseCommand,
  type Command,
  type Terminal,
} from './command.ts'
import { newDatabase, withConnection, type OpenedDatabase } from './database.ts'
import { showProgress, type Progress } from './progress.ts'
import { withStore } from './store.ts'

export const restore: Command = {
  usage: `Usage: parley restore DIR [--end-sessions] [--json]

Restores a backup into an empty data folder (PARLEY_DATA_DIR) and, where DATABASE_URL says so, an empty database. Each
file is compared with its checksum. Ids go on far above all that a client can have been given since the backup, and all
event queues have ended: clients register anew by themselves. Start the server afterwards.

  --end-sessions             signs everybody out in all browsers; API keys and API tokens stay
  --json                     prints what was restored as JSON

Exit codes: 0 it is restored; otherwise nothing is left behind: 3 the backup is not whole, 1 it could not be restored,
2 the command line means nothing.`,

  async run(args, terminal) {
    const { positionals, values } = parseCommand(args, ['DIR'], {
      'end-sessions': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    })
    const [folder = ''] = positionals
    const config = configOf(terminal)
    const begun = performance.now()
    const manifest = await knownManifest(folder)
    const { leftOut, distance } = await intoEmpty(folder, manifest, config, terminal)
    if (values['end-sessions']) await signOut(terminal, manifest)
    for (const name of leftOut) terminal.warn(`The table ${name} is none of Parley's, and was left out.`)
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
            `  ${counted(organizations.length, 'organization', 'organizations')}, ${counted(rowsOf(manifest), 'row', 'rows')}, ${counted(files, 'file', 'files')}.`,
            '  What was written after that moment is lost. Ids go on far above all that were given out.',
            'Start the server: parley start',
          ].join('\n'),
    )
  },
}

async function knownManifest(folder: string): Promise<Manifest> {
  const manifest = await orComplain(damageTold(readManifest(folder)))
  try {
    refuseUnknown(manifest.migrations, allMigrations(capabilities))
  } catch (error) {
    throw new Complaint(
      `${resolve(folder)} was made by a newer version of Parley, ${manifest.parley}, than this one. Restore it with that version, or a later one.`,
      { cause: error },
    )
  }
  return manifest
}

/** After a failure, files and database are empty again. */
async function intoEmpty(
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
    indexes: { label: 'Making indexes and checking constraints', isBytes: false },
  })
  await orComplain(refuseFiles(files))
  await orComplain(beginRestoring(dataDirectory))
  try {
    const restoring = { dataDirectory, files, report: progress.report, signal }
    await orStopped(damageTold(restoreFiles(folder, manifest, restoring)), signal, resolve(dataDirectory))
    const database = await newDatabase(config, createLogger(config.PARLEY_LOG_LEVEL, 'stderr'))
    let restored: RestoredDatabase
    try {
      restored = await orStopped(
        damageTold(intoDatabase(database, folder, manifest, progress, signal)),
        signal,
        database.description,
      )
    } finally {
      await database.close()
    }
    await endRestoring(dataDirectory)
    return restored
  } catch (error) {
    await orComplain(undoRestoring(dataDirectory, files), 'Files of the backup may be left where PARLEY_FILES leads')
    throw error
  } finally {
    progress.end()
  }
}

async function intoDatabase(
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
  await orComplain(ending, 'Everything is restored, but sessions could not be ended')
}

async function damageTold<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof DamagedBackup)) throw error
    throw new DamageComplaint(`The backup is not whole. ${error.message}`, { cause: error })
  }
}
