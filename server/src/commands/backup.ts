import { resolve } from 'node:path'
import { counted, messageOf } from '../kernel/phrases.ts'
import { makeBackup, type MadeBackup } from '../platform/backup/backup.ts'
import { noteBackup } from '../platform/backup/note.ts'
import { rowsOf } from '../platform/backup/manifest.ts'
import { fileStore } from '../facts.ts'
import { createLogger } from '../platform/logger.ts'
import { VERSION } from '../version.ts'
import { Complaint, configOf, orComplain, parseCommand, type Command, type Terminal } from './command.ts'
import { reachDatabase, withConnection } from './database.ts'
import { bytesText, showProgress } from './progress.ts'
import { roomComplaint } from './room.ts'
import { refuseOtherFiles } from './served.ts'

export const backup: Command = {
  usage: `Usage: parley backup DIR [--json]

Backs everything up into a new folder: the database as it is at one moment, the uploaded files and the keys. Servers
go on meanwhile. Until the backup is whole, the folder has another name. Uploaded files that a backup in the same
place has already are shared with it and take no more room.

  --json                     prints what the backup holds as JSON

Exit codes: 0 the backup is whole, 1 there is none, 2 the command line means nothing.`,

  async run(args, terminal) {
    const { positionals, values } = parseCommand(args, ['DIR'], { json: { type: 'boolean', default: false } })
    const [target = ''] = positionals
    const config = configOf(terminal)
    const signal = terminal.stopSignal()
    const begun = performance.now()
    const progress = showProgress(terminal, {
      files: { label: 'Copying files', isBytes: true },
      database: { label: 'Reading the database', isBytes: true },
    })
    const database = await reachDatabase(config, createLogger(config.PARLEY_LOG_LEVEL, 'stderr'))
    try {
      await refuseOtherFiles(config)
      const made = await withConnection(database, async (client) => {
        const options = { client, dataDirectory: config.PARLEY_DATA_DIR, target, version: VERSION, signal }
        const making = makeBackup({ ...options, files: fileStore(config), report: progress.report })
        return orStopped(making, signal, resolve(target))
      })
      progress.end()
      await orWarn(terminal, noteBackup(config.PARLEY_DATA_DIR, target, made.manifest))
      for (const folder of made.unfinished) {
        terminal.warn(`${folder} is of a backup that was cut off, or still runs. In the first case it can be removed.`)
      }
      const seconds = Math.round((performance.now() - begun) / 100) / 10
      terminal.print(values.json ? JSON.stringify(factsOf(made, target, seconds)) : summaryOf(made, target, seconds))
    } finally {
      progress.end()
      await database.close()
    }
  },
}

/** A failure is only a warning: the backup itself is complete. */
export async function orWarn(terminal: Pick<Terminal, 'warn'>, noting: Promise<void>): Promise<void> {
  await noting.catch((error: unknown) => {
    const reason = messageOf(error)
    terminal.warn(`\`parley doctor\` will not know of this, since it could not be noted: ${reason}`)
  })
}

/** @param place target, for messages */
export async function orStopped<Result>(work: Promise<Result>, signal: AbortSignal, place: string): Promise<Result> {
  try {
    return await orComplain(work)
  } catch (error) {
    if (signal.aborted) throw new Complaint('Stopped. Nothing was left behind.', { cause: error })
    throw roomComplaint(error, place, 'Nothing was left behind.') ?? error
  }
}

function factsOf({ manifest, copied, linked, copiedBytes }: MadeBackup, target: string, seconds: number): object {
  const { parley, snapshotAt, organizations, tables, files } = manifest
  return {
    directory: resolve(target),
    version: parley,
    snapshot_at: snapshotAt,
    organizations,
    tables: Object.fromEntries(tables.map(({ name, rows }) => [name, rows])),
    files,
    copied_files: copied,
    copied_bytes: copiedBytes,
    linked_files: linked,
    seconds,
  }
}

function summaryOf({ manifest, copiedBytes, linked }: MadeBackup, target: string, seconds: number): string {
  const { organizations, tables, files, snapshotAt } = manifest
  const shared = linked > 0 ? `, ${linked.toLocaleString('en')} of them shared with the backup before` : ''
  const messages = tables.find(({ name }) => name === 'messages')?.rows ?? 0
  return [
    `Backed up into ${resolve(target)} in ${seconds} s, as of ${new Date(snapshotAt * 1000).toISOString()}.`,
    `  ${counted(organizations.length, 'organization', 'organizations')}, ${counted(messages, 'message', 'messages')}, ` +
      `${counted(rowsOf(manifest), 'row', 'rows')} in ${counted(tables.length, 'table', 'tables')}`,
    `  ${counted(files, 'file', 'files')}${shared}; ${bytesText(copiedBytes)} copied`,
    `Whether it can be restored says: parley verify ${target}`,
  ].join('\n')
}
