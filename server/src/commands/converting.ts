import { copyFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { requireUsableSubdomain } from '../capabilities/organizations/actions/index.ts'
import { validOrganizationName } from '../capabilities/organizations/rules.ts'
import type { ConvertedExport, Service } from '../converting/convert.ts'
import { messageOf } from '../kernel/phrases.ts'
import { EXPORTED_TABLES } from '../organization-archive.ts'
import { defaultIfMissing, checksumOf } from '../platform/backup/folder.ts'
import { makeTemporaryData } from '../platform/embedded/aside.ts'
import { DamagedArchive } from '../platform/backup/reporting.ts'
import { requireFreeSubdomain } from '../platform/moving/progress.ts'
import { VERSION } from '../version.ts'
import { CliError, DamageError, toCliError, parseCommand, UsageError, spaceError, type Terminal } from './command.ts'
import { jsonResult, importFolder, importOptions, IMPORT_USAGE, secondsSince, summarizeImport } from './importing.ts'
import { carriedLines, printJson } from './output.ts'
import { showProgress } from './progress.ts'
import { isWithoutTables, withStore } from './store.ts'

export const CONVERTING_USAGE = `Converts the export in TMPDIR, which needs enough space, and imports it like \`parley import parley\`. The organization is
unavailable until the import is complete. After a crash or Ctrl-C, run the command again to continue. Lists anything
not imported.

  --ids FILE                 list of old and new IDs (default: ARCHIVE.ids.jsonl)
  --name NAME                name of the organization
${IMPORT_USAGE}`

const FOLDER_PREFIX = 'parley-import'

export async function convertAndImport(service: Service, args: readonly string[], terminal: Terminal): Promise<void> {
  const options = { ...importOptions, ids: { type: 'string' }, name: { type: 'string' } } as const
  const { positionals, values } = parseCommand(args, ['ARCHIVE'], options)
  const [path = ''] = positionals
  requireUsableSubdomain(values.organization)
  requireUsableName(values.name)
  const ids = values.ids ?? `${resolve(path)}.ids.jsonl`
  const began = performance.now()
  // Checks the subdomain first, because converting can take minutes.
  await withStore(
    terminal,
    async ({ database }) => toCliError(requireFreeSubdomain(database.reads, values.organization)),
    { use: 'look', isStoppable: true },
  ).catch((error: unknown) => {
    if (!isWithoutTables(error)) throw error
  })
  const isKept = !values['dry-run']
  if (isKept) await requireWritable(ids)
  const folder = await toCliError(makeTemporaryData(FOLDER_PREFIX))
  try {
    const converted = await convertInFolder(folder, service, { path, name: values.name }, terminal)
    if (isKept) await requireSameIdList(converted.ids, ids)
    // Skips checking the files, because the archive was just written.
    const wanted = { ...values, 'skip-damaged-files': true }
    const imported = await importFolder(terminal, converted.archive, wanted, async () => saveIdList(converted.ids, ids))
    const seconds = secondsSince(began)
    const { carried } = converted
    if (values.json)
      printJson(terminal, { ...jsonResult(imported, wanted, seconds), carried, ids: isKept ? ids : null })
    else {
      const idsLine = isKept ? [`Old and new IDs: ${ids}`] : []
      terminal.print([...summarizeImport(imported, wanted, seconds), ...carriedLines(carried), ...idsLine].join('\n'))
    }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

function requireUsableName(name: string | undefined): void {
  if (name === undefined) return
  try {
    validOrganizationName(name)
  } catch (error) {
    throw new UsageError(`--name: ${messageOf(error).replace(/!$/, '')}.`, { cause: error })
  }
}

async function convertInFolder(
  folder: string,
  service: Service,
  { path, name }: { path: string; name: string | undefined },
  terminal: Terminal,
): Promise<ConvertedExport> {
  const signal = terminal.stopSignal()
  const progress = showProgress(terminal, {
    reading: { label: `Reading the export of ${service.title}`, isBytes: false },
    writing: { label: 'Converting', isBytes: false },
  })
  try {
    const { convertExport } = await import('../converting/convert.ts')
    const { report } = progress
    const tables = EXPORTED_TABLES
    return await toCliError(convertExport({ service, path, folder, tables, name, version: VERSION, report, signal }))
  } catch (error) {
    if (signal.aborted)
      throw new CliError('Stopped. Run the command again to continue.', {
        cause: error,
      })
    const full = spaceError(error, `${dirname(folder)} (TMPDIR)`, 'Nothing was stored.')
    if (full !== undefined) throw full
    const { cause } = error instanceof CliError ? error : {}
    if (cause instanceof DamagedArchive) throw new DamageError(cause.message, { cause })
    throw error
  } finally {
    progress.end()
  }
}

const partialPath = (target: string): string => `${target}.partial`

async function requireWritable(target: string): Promise<void> {
  try {
    await writeFile(partialPath(target), '')
    await rm(partialPath(target))
  } catch (error) {
    throw new CliError(`Cannot write the list of IDs: ${messageOf(error)}. Choose another file with --ids.`, {
      cause: error,
    })
  }
}

async function requireSameIdList(made: string, target: string): Promise<void> {
  if ((await stat(target).catch(defaultIfMissing(undefined))) === undefined) return
  const [before, now] = [await checksumOf(target), await checksumOf(made)]
  if (before.sha256 === now.sha256) return
  throw new CliError(`${target} already exists and belongs to another import. Choose another file with --ids.`)
}

async function saveIdList(made: string, target: string): Promise<void> {
  await copyFile(made, partialPath(target))
  await rename(partialPath(target), target)
}
