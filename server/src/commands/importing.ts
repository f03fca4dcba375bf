import { requireUsableSubdomain } from '../capabilities/organizations/actions/index.ts'
import type { Config } from '../config.ts'
import { serverFacts } from '../server-from-config.ts'
import { toPrintable } from '../kernel/characters.ts'
import { EXPORTED_TABLES, importRenderer } from '../organization-archive.ts'
import { DamagedArchive } from '../platform/backup/reporting.ts'
import { importArchive, type ImportedOrganization } from '../platform/moving/import.ts'
import type { Store } from '../start.ts'
import { CliError, DamageError, toCliError, type Terminal } from './command.ts'
import { formatArchiveCounts, formatLeftOutEntries, jsonOption, JSON_USAGE, printJson, showProgress } from './output.ts'
import { describeUrl } from './served.ts'
import { isNoTablesError, organizationOption, withStore } from './store.ts'

export const importOptions = {
  'dry-run': { type: 'boolean', default: false },
  ...jsonOption,
  ...organizationOption,
} as const

export const IMPORT_USAGE = `  --dry-run                  print what would be imported; store nothing
${JSON_USAGE}
  --organization SUBDOMAIN   subdomain of the new organization (default: none)

Exit codes: 0 the organization is imported, 1 it could not be imported, 2 invalid command line, 3 the archive is damaged.`

export interface ImportRequest {
  readonly 'dry-run': boolean
  readonly json: boolean
  readonly organization: string
  readonly 'skip-damaged-files': boolean
}

interface ImportOutcome extends ImportedOrganization {
  readonly servedAt: string
}

export async function importAndReport(terminal: Terminal, folder: string, wanted: ImportRequest): Promise<void> {
  requireUsableSubdomain(wanted.organization)
  const began = performance.now()
  const imported = await importFolder(terminal, folder, wanted)
  const seconds = secondsSince(began)
  if (wanted.json) printJson(terminal, jsonResult(imported, wanted, seconds))
  else terminal.print(summarizeImport(imported, wanted, seconds).join('\n'))
}

export function secondsSince(began: number): number {
  return Math.round((performance.now() - began) / 100) / 10
}

/** `begun` is called after all checks have passed and before any data is stored. */
export async function importFolder(
  terminal: Terminal,
  folder: string,
  { 'dry-run': isDryRun, organization: stringId, 'skip-damaged-files': skipsDamagedFiles }: ImportRequest,
  begun?: () => Promise<void>,
): Promise<ImportOutcome> {
  const signal = terminal.stopSignal()
  const progress = showProgress(terminal, {
    sums: { label: 'Comparing checksums', isBytes: true },
    rows: { label: isDryRun ? 'Checking rows' : 'Importing rows', isBytes: false },
  })
  const importing = async (store: Store, config: Config): Promise<ImportOutcome> => {
    const facts = serverFacts(config, store)
    const imported = await importArchive({
      database: store.database,
      files: facts.files,
      tables: EXPORTED_TABLES,
      folder,
      stringId,
      url: facts.urlAt(stringId),
      renderer: async (db, organizationId) => importRenderer(db, organizationId, facts),
      isDryRun,
      skipsDamagedFiles,
      begun,
      report: progress.report,
      signal,
    })
    return { ...imported, servedAt: describeUrl(facts, stringId, config) }
  }
  try {
    return await toCliError(withImportDatabase(terminal, importing, isDryRun))
  } catch (error) {
    if (signal.aborted) {
      const rest = isDryRun ? 'Nothing was stored.' : 'Run the command again to continue.'
      throw new CliError(`Stopped. ${rest}`, { cause: error })
    }
    const { cause } = error instanceof CliError ? error : {}
    if (cause instanceof DamagedArchive) throw new DamageError(cause.message, { cause })
    throw error
  } finally {
    progress.end()
  }
}

/** Runs an import. A dry run without an existing database uses a temporary database, but creates no tables. */
async function withImportDatabase(
  terminal: Terminal,
  importing: (store: Store, config: Config) => Promise<ImportOutcome>,
  isDryRun: boolean,
): Promise<ImportOutcome> {
  if (!isDryRun) return withStore(terminal, importing, { use: 'begin', isStoppable: true })
  try {
    return await withStore(terminal, importing, { use: 'look', isStoppable: true })
  } catch (error) {
    if (!isNoTablesError(error)) throw error
    return withStore(terminal, importing, { use: 'begin', isAside: true, isStoppable: true })
  }
}

export function jsonResult(imported: ImportOutcome, wanted: ImportRequest, seconds: number): object {
  return {
    dry_run: wanted['dry-run'],
    resumed: imported.isResumed,
    organization: { subdomain: wanted.organization, name: importedOrganizationName(imported) },
    tables: imported.tables,
    left_out: imported.leftOut,
    seconds,
  }
}

export function summarizeImport(imported: ImportOutcome, wanted: ImportRequest, seconds: number): string[] {
  const { tables, leftOut, isResumed } = imported
  const stored = (name: string): number => tables.find((table) => table.name === name)?.stored ?? 0
  const verb = wanted['dry-run'] ? 'Would import' : 'Imported'
  return [
    `${verb} ${importedOrganizationName(imported)} in ${seconds} s${isResumed ? ', continuing an earlier attempt' : ''}:`,
    `  ${formatArchiveCounts(stored)}`,
    ...(wanted['dry-run'] ? [] : [`  Served at ${imported.servedAt}`]),
    ...formatLeftOutEntries(leftOut),
  ]
}

function importedOrganizationName({ manifest }: ImportOutcome): string {
  return toPrintable(manifest.organization.name)
}
