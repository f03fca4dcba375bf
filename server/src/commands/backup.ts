import { resolve } from 'node:path'
import { formatCount, messageOf } from '../kernel/phrases.ts'
import { makeBackup, type BackupResult } from '../platform/backup/backup.ts'
import { recordBackup } from '../platform/backup/note.ts'
import { countRows } from '../platform/backup/manifest.ts'
import { fileStore } from '../server-from-config.ts'
import { createLogger } from '../platform/logger.ts'
import { VERSION } from '../version.ts'
import { CliError, loadConfig, toCliError, parseCommand, spaceError, type Command, type Terminal } from './command.ts'
import { openOrJoinDatabase, withConnection } from './database.ts'
import { formatBytes, showProgress } from './output.ts'
import { refuseOtherFiles } from './served.ts'

export const backup: Command = {
  usage: `Usage: parley backup DIR [--json]

Back up the database, uploaded files, and keys into a new folder, as of one moment, while servers run. Until the backup is
complete, the folder has a temporary name. Uploaded files that another backup in the same place contains are shared
with it and take no extra space.

  --json                     print the contents of the backup as JSON

Exit codes: 0 the backup is complete, 1 it failed, 2 invalid command line.`,

  async run(args, terminal) {
    const { positionals, values } = parseCommand(args, ['DIR'], { json: { type: 'boolean', default: false } })
    const [target = ''] = positionals
    const config = loadConfig(terminal)
    const signal = terminal.stopSignal()
    const begun = performance.now()
    const progress = showProgress(terminal, {
      files: { label: 'Copying files', isBytes: true },
      database: { label: 'Reading the database', isBytes: true },
    })
    const database = await openOrJoinDatabase(config, createLogger(config.PARLEY_LOG_LEVEL, 'stderr'))
    try {
      await refuseOtherFiles(config)
      const made = await withConnection(database, async (client) => {
        const options = { client, dataDirectory: config.PARLEY_DATA_DIR, target, version: VERSION, signal }
        const making = makeBackup({ ...options, files: fileStore(config), report: progress.report })
        return reportStopOrFullDisk(making, signal, resolve(target))
      })
      progress.end()
      await warnOnFailure(terminal, recordBackup(config.PARLEY_DATA_DIR, target, made.manifest))
      for (const folder of made.unfinished) {
        terminal.warn(
          `${folder} belongs to a backup that is running or was interrupted. If it was interrupted, remove the folder.`,
        )
      }
      const seconds = Math.round((performance.now() - begun) / 100) / 10
      terminal.print(
        values.json ? JSON.stringify(jsonResult(made, target, seconds)) : summarizeBackup(made, target, seconds),
      )
    } finally {
      progress.end()
      await database.close()
    }
  },
}

export async function warnOnFailure(terminal: Pick<Terminal, 'warn'>, noting: Promise<void>): Promise<void> {
  await noting.catch((error: unknown) => {
    const reason = messageOf(error)
    terminal.warn(`Could not record the result for \`parley doctor\`: ${reason}`)
  })
}

/** Turns an abort, or a full disk at `place`, into an error that says that nothing was left behind. */
export async function reportStopOrFullDisk<Result>(
  work: Promise<Result>,
  signal: AbortSignal,
  place: string,
): Promise<Result> {
  try {
    return await toCliError(work)
  } catch (error) {
    if (signal.aborted) throw new CliError('Stopped. Nothing was left behind.', { cause: error })
    throw spaceError(error, place, 'Nothing was left behind.') ?? error
  }
}

function jsonResult(
  { manifest, copiedFiles, linkedFiles, copiedBytes }: BackupResult,
  target: string,
  seconds: number,
): object {
  const { parley, snapshotAt, organizations, tables, files } = manifest
  return {
    directory: resolve(target),
    version: parley,
    snapshot_at: snapshotAt,
    organizations,
    tables: Object.fromEntries(tables.map(({ name, rows }) => [name, rows])),
    files,
    copied_files: copiedFiles,
    copied_bytes: copiedBytes,
    linked_files: linkedFiles,
    seconds,
  }
}

function summarizeBackup(
  { manifest, copiedBytes, linkedFiles }: BackupResult,
  target: string,
  seconds: number,
): string {
  const { organizations, tables, files, snapshotAt } = manifest
  const shared = linkedFiles > 0 ? `, ${linkedFiles.toLocaleString('en')} shared with an earlier backup` : ''
  const messages = tables.find(({ name }) => name === 'messages')?.rows ?? 0
  return [
    `Backed up into ${resolve(target)} in ${seconds} s, as of ${new Date(snapshotAt * 1000).toISOString()}.`,
    `  ${formatCount(organizations.length, 'organization', 'organizations')}, ${formatCount(messages, 'message', 'messages')}, ` +
      `${formatCount(countRows(manifest), 'row', 'rows')} in ${formatCount(tables.length, 'table', 'tables')}`,
    `  ${formatCount(files, 'file', 'files')}${shared}; ${formatBytes(copiedBytes)} copied`,
    `Verify it with: parley verify ${target}`,
  ].join('\n')
}
