import { mattermost } from '../converting/mattermost/read.ts'
import { slack } from '../converting/slack/read.ts'
import { zulip } from '../converting/zulip/read.ts'
import {
  parseCommand,
  type Command,
  CliError,
  DamageError,
  toCliError,
  UsageError,
  spaceError,
  type Terminal,
} from './command.ts'
import {
  importAndReport,
  importOptions,
  IMPORT_USAGE,
  jsonResult,
  importFolder,
  secondsSince,
  summarizeImport,
} from './importing.ts'
import { copyFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { requireUsableSubdomain } from '../capabilities/organizations/actions/index.ts'
import { validOrganizationName } from '../capabilities/organizations/rules.ts'
import type { ConvertedExport, Service } from '../converting/convert.ts'
import { messageOf } from '../kernel/phrases.ts'
import { EXPORTED_TABLES } from '../organization-archive.ts'
import { defaultIfMissing, computeChecksum } from '../platform/backup/folder.ts'
import { makeTemporaryData } from '../platform/embedded/aside.ts'
import { DamagedArchive } from '../platform/backup/reporting.ts'
import { requireFreeSubdomain } from '../platform/moving/progress.ts'
import { VERSION } from '../version.ts'
import { formatImportedEntries, printJson, showProgress } from './output.ts'
import { isNoTablesError, withStore } from './store.ts'

export const importParley: Command = {
  usage: `Usage: parley import parley DIR [--dry-run] [--skip-damaged-files] [--json] [--organization SUBDOMAIN]

Create an organization from an archive made by \`parley export\`. IDs and links to messages stay valid. The organization is
invisible until the import is complete. After a crash or Ctrl-C, run the command again to continue. Archives can come from
untrusted sources: invalid records are skipped and listed. An archive with missing or damaged files is rejected before
anything is stored.

  --skip-damaged-files       import without missing or damaged uploads and pictures, and list them
${IMPORT_USAGE}`,

  async run(args, terminal) {
    const { positionals, values } = parseCommand(args, ['DIR'], {
      ...importOptions,
      'skip-damaged-files': { type: 'boolean', default: false },
    })
    const [folder = ''] = positionals
    await importAndReport(terminal, folder, values)
  },
}

const CONVERTING_USAGE = `Converts the export in TMPDIR, which needs enough space, and imports it like \`parley import parley\`. The organization is
unavailable until the import is complete. After a crash or Ctrl-C, run the command again to continue. Lists anything
not imported.

  --ids FILE                 list of old and new IDs (default: ARCHIVE.ids.jsonl)
  --name NAME                name of the organization
${IMPORT_USAGE}`

export const importSlack: Command = {
  usage: `Usage: parley import slack ARCHIVE [--dry-run] [--ids FILE] [--json] [--name NAME] [--organization SUBDOMAIN]

Create an organization from a Slack export: the ZIP archive or its unpacked folder. Channel messages go to the channel's
general chat, and each thread becomes a topic named after its first words. Everything is marked as read for everyone.

${CONVERTING_USAGE}`,

  async run(args, terminal) {
    await convertAndImport(slack, args, terminal)
  },
}

export const importMattermost: Command = {
  usage: `Usage: parley import mattermost ARCHIVE [--dry-run] [--ids FILE] [--json] [--name NAME] [--organization SUBDOMAIN]

Create an organization from a Mattermost bulk export: the ZIP archive, its unpacked folder, or only the .jsonl file without
uploaded files. Channel messages go to the channel's general chat, and each thread becomes a topic named after its
first words.

${CONVERTING_USAGE}`,

  async run(args, terminal) {
    await convertAndImport(mattermost, args, terminal)
  },
}

export const importZulip: Command = {
  usage: `Usage: parley import zulip ARCHIVE [--dry-run] [--ids FILE] [--json] [--name NAME] [--organization SUBDOMAIN]

Create an organization from a Zulip export: the \`.tar.gz\` archive or its unpacked folder. Keeps topics and everyone's read,
starred, muted, and followed states.

${CONVERTING_USAGE}`,

  async run(args, terminal) {
    await convertAndImport(zulip, args, terminal)
  },
}

const FOLDER_PREFIX = 'parley-import'

async function convertAndImport(service: Service, args: readonly string[], terminal: Terminal): Promise<void> {
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
    if (!isNoTablesError(error)) throw error
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
      terminal.print(
        [...summarizeImport(imported, wanted, seconds), ...formatImportedEntries(carried), ...idsLine].join('\n'),
      )
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
  const [before, now] = [await computeChecksum(target), await computeChecksum(made)]
  if (before.sha256 === now.sha256) return
  throw new CliError(`${target} already exists and belongs to another import. Choose another file with --ids.`)
}

async function saveIdList(made: string, target: string): Promise<void> {
  await copyFile(made, partialPath(target))
  await rename(partialPath(target), target)
}
