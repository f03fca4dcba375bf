import { resolve } from 'node:path'
import { organizationOf } from '../capabilities/organizations/queries/index.ts'
import { formatCount } from '../kernel/phrases.ts'
import { serverFacts } from '../server-from-config.ts'
import { EXPORTED_TABLES, OMITTED_TABLES } from '../organization-archive.ts'
import { writeArchive } from '../platform/moving/export.ts'
import type { ArchiveManifest } from '../platform/moving/manifest.ts'
import { VERSION } from '../version.ts'
import { reportStopOrFullDisk } from './backup.ts'
import { parseCommand, type Command, type Terminal } from './command.ts'
import { withConnection } from './database.ts'
import {
  jsonOption,
  JSON_USAGE,
  printJson,
  formatArchiveCounts,
  formatLeftOutEntries,
  formatBytes,
  showProgress,
} from './output.ts'
import { ORGANIZATION_USAGE, requireOrganization, organizationOption, withStore } from './store.ts'

export const exportOrganization: Command = {
  usage: `Usage: parley export DIR [--without-secrets] [--json] [--organization SUBDOMAIN]

Export an organization into a new folder, as of one moment, while servers run: accounts, channels, messages, files,
settings, and read states. Import it on this or another server with \`parley import parley\`. Until the archive is complete,
the folder has a temporary name. The archive contains everything, including direct messages and, by default, the hashes
of passwords and API keys.

  --without-secrets          omit passwords, API keys, and bot secrets; people get new ones after the import
${JSON_USAGE}
${ORGANIZATION_USAGE}`,

  async run(args, terminal) {
    const options = {
      'without-secrets': { type: 'boolean', default: false },
      ...jsonOption,
      ...organizationOption,
    } as const
    const { positionals, values } = parseCommand(args, ['DIR'], options)
    const [target = ''] = positionals
    const begun = performance.now()
    const manifest = await exportTo(terminal, target, values.organization, !values['without-secrets'])
    const seconds = Math.round((performance.now() - begun) / 100) / 10
    if (values.json) printJson(terminal, jsonResult(manifest, target, seconds))
    else terminal.print(summarizeExport(manifest, target, seconds).join('\n'))
  },
}

async function exportTo(
  terminal: Terminal,
  target: string,
  subdomain: string,
  withSecrets: boolean,
): Promise<ArchiveManifest> {
  const signal = terminal.stopSignal()
  const progress = showProgress(terminal, {
    rows: { label: 'Writing rows', isBytes: false },
    files: { label: 'Copying files', isBytes: true },
  })
  try {
    return await withStore(
      terminal,
      async (store, config, database) => {
        const { organization } = await requireOrganization(store, subdomain)
        const facts = serverFacts(config, store)
        const { name, stringId } = organizationOf(organization)
        return withConnection(database, async (client) => {
          const archive = writeArchive({
            client,
            files: facts.files,
            tables: EXPORTED_TABLES,
            omitted: OMITTED_TABLES,
            organization: { id: organization.id, name, subdomain: stringId, url: facts.urlOf(organization) },
            target,
            version: VERSION,
            withSecrets,
            report: progress.report,
            signal,
          })
          return reportStopOrFullDisk(archive, signal, resolve(target))
        })
      },
      { use: 'look', isStoppable: true },
    )
  } finally {
    progress.end()
  }
}

function jsonResult(manifest: ArchiveManifest, target: string, seconds: number): object {
  const { organization, tables, files, left_out, made_at, position, version } = manifest
  return {
    directory: resolve(target),
    version,
    made_at,
    organization: { subdomain: organization.subdomain, name: organization.name },
    position,
    tables: tables.map(({ name, rows }) => ({ name, rows })),
    files: files.count,
    file_bytes: files.bytes,
    left_out,
    seconds,
  }
}

function summarizeExport(manifest: ArchiveManifest, target: string, seconds: number): string[] {
  const { organization, tables, files, left_out: leftOut, made_at: madeAt } = manifest
  const rows = (name: string): number => tables.find((table) => table.name === name)?.rows ?? 0
  return [
    `Exported ${organization.name} into ${resolve(target)} in ${seconds} s, as of ${new Date(madeAt * 1000).toISOString()}.`,
    `  ${formatArchiveCounts(rows)}`,
    `  ${formatCount(files.count, 'file', 'files')} in the archive, including pictures and thumbnails (${formatBytes(files.bytes)})`,
    ...formatLeftOutEntries(leftOut),
    `Check it with: parley import parley ${target} --dry-run`,
  ]
}
