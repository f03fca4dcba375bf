import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { FOLDER_MODE } from '../platform/folders.ts'
import type { Report } from '../platform/backup/reporting.ts'
import { loadEmojiNames } from '../platform/markdown/emoji/names.ts'
import type { EmojiNames } from '../platform/markdown/emoji/codes.ts'
import type { ExportedTable } from '../platform/moving/carried.ts'
import type { ReportEntry } from '../platform/moving/manifest.ts'
import { ReportList } from '../platform/moving/report-list.ts'
import { ArchiveWriter } from '../platform/moving/writer.ts'
import { loadEmojiFinder, type EmojiFinder } from './emoji.ts'
import { openExport, type ExportFiles, type ExportKind } from './export-files.ts'
import { IdList } from './id-list.ts'
import { NewFiles, ORGANIZATION_ID } from './new-files.ts'
import { NewMessages } from './new-messages.ts'
import { NewOrganization, type OrganizationFacts } from './new-organization.ts'

export interface Conversion {
  readonly organization: NewOrganization
  readonly messages: NewMessages
  readonly files: NewFiles
  readonly emojiNames: EmojiNames
  readonly emojiNamed: EmojiFinder
  readonly leftOut: ReportList
  /** Imported data that the row counts of tables do not include. */
  readonly carried: ReportList
  readonly signal: AbortSignal
  readonly progress: (done: number, total: number) => void
}

export interface Service extends ExportKind {
  /** @throws DamagedArchive */
  readonly read: (source: ExportFiles, conversion: Conversion) => Promise<OrganizationFacts>
}

export interface ConvertOptions {
  readonly service: Service
  readonly path: string
  readonly folder: string
  readonly tables: readonly ExportedTable[]
  readonly name: string | undefined
  readonly version: string
  readonly report: Report
  readonly signal: AbortSignal
}

export interface ConvertedExport {
  readonly archive: string
  readonly ids: string
  readonly carried: readonly ReportEntry[]
}

/** Converts an export, always to the same bytes, so that an interrupted import can resume. @throws DamagedArchive */
export async function convertExport(options: ConvertOptions): Promise<ConvertedExport> {
  const { service, path, folder, tables, version, signal, report } = options
  const source = await openExport(path, service, { unpacked: join(folder, 'unpacked'), signal })
  const archive = join(folder, 'archive')
  const sorting = join(folder, 'sorting')
  for (const made of [archive, sorting]) await mkdir(made, { mode: FOLDER_MODE })
  const ids = new IdList(join(folder, 'ids.jsonl'))
  const writer = await ArchiveWriter.begin(archive, tables)
  try {
    const organization = new NewOrganization({ writer, ids }, service.word)
    const parts = { organization, writer, ids }
    const carried = new ReportList()
    const messages = new NewMessages(parts, sorting, Date.now() * 1_000)
    await organization.found()
    const files = new NewFiles(parts, signal)
    for (const outside of source.outsidePaths) writer.leftOut.add('files outside the folder of the export', outside)
    const facts = await service.read(source, {
      organization,
      messages,
      files,
      emojiNames: await loadEmojiNames(),
      emojiNamed: await loadEmojiFinder(files.emoji),
      leftOut: writer.leftOut,
      carried,
      signal,
      progress: (done, total) => report('reading', done, total),
    })
    report('writing', 0, 0)
    await messages.write(signal)
    const name = options.name ?? facts.name
    const position = await organization.end({ ...facts, name }, messages.latest)
    await ids.close()
    // The other server's ID and addresses have no meaning in Parley.
    const there = { id: ORGANIZATION_ID, name: name.slice(0, 1_000), subdomain: '', url: '' }
    await writer.end({ made_by: service.word, version, made_at: messages.latest, organization: there, position })
    return { archive, ids: join(folder, 'ids.jsonl'), carried: carried.all() }
  } finally {
    source.close()
    await writer.close().catch(() => undefined)
    await ids.close().catch(() => undefined)
  }
}
