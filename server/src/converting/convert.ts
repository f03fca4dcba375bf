import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { FOLDER_MODE } from '../platform/folders.ts'
import type { Report } from '../platform/backup/report.ts'
import { loadEmojiNames } from '../platform/markdown/emoji/names.ts'
import type { EmojiNames } from '../platform/markdown/emoji/codes.ts'
import type { CarriedTable } from '../platform/moving/carried.ts'
import type { ReportEntry } from '../platform/moving/manifest.ts'
import { ReportList } from '../platform/moving/report-list.ts'
import { ArchiveWriter } from '../platform/moving/writer.ts'
import { loadEmojiFinder, type EmojiFinder } from './emoji.ts'
import { openExport, type ExportFiles } from './export-files.ts'
import { IdList } from './id-list.ts'
import type { ExportKind } from './kinds.ts'
import { NewFiles, ORGANIZATION_ID } from './new-files.ts'
import { NewMessages } from './new-messages.ts'
import { NewOrganization, type OrganizationFacts } from './new-organization.ts'

/** What a reader of an export makes an organization with. */
export interface Conversion {
  readonly organization: NewOrganization
  readonly messages: NewMessages
  readonly files: NewFiles
  readonly emojiNames: EmojiNames
  readonly emojiNamed: EmojiFinder
  /** What could not be carried. */
  readonly leftOut: ReportList
  /** What is as it was, of that which no table counts. */
  readonly carried: ReportList
  readonly signal: AbortSignal
  /** Says that so many files of so many are read. */
  readonly progress: (done: number, total: number) => void
}

/** A service whose exports can be read. */
export interface Service extends ExportKind {
  /** Reads an export. @throws DamagedArchive where it is none, or not whole */
  readonly read: (source: ExportFiles, conversion: Conversion) => Promise<OrganizationFacts>
}

export interface ConvertOptions {
  readonly service: Service
  /** The export. */
  readonly path: string
  /** Where everything is written; nothing is in it yet. */
  readonly folder: string
  readonly tables: readonly CarriedTable[]
  /** What the organization is called, where that was said. */
  readonly name: string | undefined
  readonly version: string
  readonly report: Report
  readonly signal: AbortSignal
}

/** Where the parts of a conversion lie. */
export interface Converted {
  /** An archive as `parley export` writes it. */
  readonly archive: string
  readonly ids: string
  /** What is as it was, of that which no table counts. */
  readonly carried: readonly ReportEntry[]
}

/**
 * Makes an archive of our own of an export of another service. The same export always makes the same archive, to the byte, so that
 * an import that was cut off goes on with it.
 * @throws DamagedArchive
 */
export async function convertExport(options: ConvertOptions): Promise<Converted> {
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
    // No number that another server gave means anything here.
    const there = { id: ORGANIZATION_ID, name: name.slice(0, 1_000), subdomain: '', url: '' }
    await writer.end({ made_by: service.word, version, made_at: messages.latest, organization: there, position })
    return { archive, ids: join(folder, 'ids.jsonl'), carried: carried.all() }
  } finally {
    source.close()
    await writer.close().catch(() => undefined)
    await ids.close().catch(() => undefined)
  }
}
