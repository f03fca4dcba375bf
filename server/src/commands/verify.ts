import { resolve } from 'node:path'
import { capabilities } from '../capabilities.ts'
import { messageSoundness } from '../capabilities/messages/queries/soundness.ts'
import { uploadedFiles } from '../capabilities/uploads/queries.ts'
import { formatCount } from '../kernel/phrases.ts'
import { DamagedBackup } from '../platform/backup/reporting.ts'
import { readManifest, countRows, type Manifest } from '../platform/backup/manifest.ts'
import { recordVerification } from '../platform/backup/note.ts'
import { checkDatabase, checkFiles, type CheckedDatabase } from '../platform/backup/verify.ts'
import { allMigrations } from '../platform/db/migrations/index.ts'
import { logSoundness } from '../platform/log/organization-rows.ts'
import { createLogger } from '../platform/logger.ts'
import { reportStopOrFullDisk, warnOnFailure } from './backup.ts'
import { loadConfig, DamageError, toCliError, parseCommand, type Command } from './command.ts'
import { createTemporaryDatabase, withConnection } from './database.ts'
import { showProgress, type Progress } from './output.ts'

const FOLDER_PREFIX = 'parley-verify'

export const verify: Command = {
  usage: `Usage: parley verify DIR [--files-only] [--json]

Verify that a backup can be restored: check all checksums, load the database into a temporary one in TMPDIR, build all
indexes, check all constraints, and compare rows and positions with the backup's records. Changes nothing and cleans up.
TMPDIR needs as much space as the database.

  --files-only               check only the checksums
  --json                     print the result as JSON

Exit codes: 0 the backup is intact, 3 it is damaged, 1 it could not be verified, 2 invalid command line.`,

  async run(args, terminal) {
    const { positionals, values } = parseCommand(args, ['DIR'], {
      'files-only': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    })
    const [folder = ''] = positionals
    const signal = terminal.stopSignal()
    const begun = performance.now()
    const progress = showProgress(terminal, {
      checksums: { label: 'Comparing checksums', isBytes: true },
      rows: { label: 'Reading the rows', isBytes: false },
      indexes: { label: 'Building indexes and checking constraints', isBytes: false },
    })
    const { manifest, faults, missingFiles } = await findFaults(folder, async (found) => {
      const inFiles = await reportStopOrFullDisk(checkFiles(folder, found, progress.report, signal), signal, folder)
      if (inFiles.length > 0 || values['files-only']) return { faults: inFiles, missingFiles: [] }
      return checkInTemporaryDatabase(folder, found, progress, signal)
    }).finally(() => progress.end())
    const seconds = Math.round((performance.now() - begun) / 100) / 10
    const [missing] = missingFiles
    if (missing !== undefined) {
      const files = formatCount(missingFiles.length, 'file in the database is', 'files in the database are')
      terminal.warn(`${files} missing: ${missing}${missingFiles.length > 1 ? ', ...' : ''}`)
    }
    if (values.json) {
      const found = { faults, missing_files: missingFiles.length, seconds }
      terminal.print(JSON.stringify({ ...jsonResult(folder, manifest), ...found }))
    }
    if (faults.length > 0) {
      throw new DamageError([`The backup in ${resolve(folder)} is damaged:`, ...faults].join('\n  '))
    }
    if (manifest !== undefined && !values['files-only']) {
      await warnOnFailure(terminal, recordVerification(loadConfig(terminal).PARLEY_DATA_DIR, manifest))
    }
    if (!values.json && manifest !== undefined)
      terminal.print(summarizeVerification(folder, manifest, seconds, values['files-only']))
  },
}

/** Collects a backup's faults. Without a readable manifest, nothing else can be checked. */
async function findFaults(
  folder: string,
  check: (manifest: Manifest) => Promise<CheckedDatabase>,
): Promise<CheckedDatabase & { readonly manifest: Manifest | undefined }> {
  let manifest: Manifest | undefined
  try {
    manifest = await toCliError(readManifest(folder))
    return { manifest, ...(await check(manifest)) }
  } catch (error) {
    const damage = error instanceof Error && error.cause instanceof DamagedBackup ? error.cause : undefined
    if (damage === undefined) throw error
    return { manifest, faults: [damage.message], missingFiles: [] }
  }
}

async function checkInTemporaryDatabase(
  folder: string,
  manifest: Manifest,
  { report }: Progress,
  signal: AbortSignal,
): Promise<CheckedDatabase> {
  const database = await createTemporaryDatabase(FOLDER_PREFIX, createLogger('error', 'stderr'))
  try {
    return await withConnection(database, async (client) => {
      const migrations = allMigrations(capabilities)
      const options = { client, folder, manifest, migrations, report, signal }
      const checking = checkDatabase(options, [...logSoundness, ...messageSoundness], uploadedFiles)
      return reportStopOrFullDisk(checking, signal, database.dataDirectory)
    })
  } finally {
    await database.close()
  }
}

function jsonResult(folder: string, manifest: Manifest | undefined): object {
  return {
    directory: resolve(folder),
    ...(manifest === undefined
      ? {}
      : { version: manifest.parley, snapshot_at: manifest.snapshotAt, organizations: manifest.organizations }),
  }
}

function summarizeVerification(folder: string, manifest: Manifest, seconds: number, isFilesOnly: boolean): string {
  const { files, tables, organizations } = manifest
  const whole = `The backup in ${resolve(folder)} is intact`
  const data = `${formatCount(files, 'file', 'files')} and ${formatCount(tables.length, 'table', 'tables')} match their checksums`
  if (isFilesOnly) return `${whole} by checksum (${seconds} s): ${data}.`
  return [
    `${whole} (${seconds} s): ${data},`,
    `  ${formatCount(countRows(manifest), 'row was', 'rows were')} loaded, every index and constraint is valid,`,
    `  and ${formatCount(organizations.length, 'organization is', 'organizations are')} at the recorded position.`,
  ].join('\n')
}
