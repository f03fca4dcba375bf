import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { integer, string, text } from '../../kernel/schemas.ts'
import { DamagedArchive, ImportRefusedError } from '../backup/reporting.ts'
import { defaultIfMissing, writeDurably } from '../backup/folder.ts'

/*
 * Archive of an organization, a folder described in docs/operating/formats.md:
 *   manifest.json          description of the contents, written last
 *   tables/NAME.jsonl      rows of a table, one JSON record per line
 *   files/ab/abcd…         uploaded files and images, by SHA-256
 */

export const ARCHIVE_FORMAT = 1

export const MANIFEST_FILE = 'manifest.json'
const MAX_MANIFEST_BYTES = 1024 * 1024
/** Half of the safe integer range. The other half is left for events logged after the import. */
const MAX_POSITION = 2 ** 52
const MAX_TABLES_PER_ARCHIVE = 1_000
const MAX_REPORT_ENTRIES = 1_000
const MAX_URL_CHARACTERS = 2_000

const count = z.int().check(z.minimum(0))
const digest = string.check(z.regex(/^[\da-f]{64}$/))

export const reportEntry = z.object({ what: text(500), count, examples: z.array(text(500)).check(z.maxLength(10)) })
export type ReportEntry = z.output<typeof reportEntry>

const archiveTable = z.object({
  name: string.check(z.regex(/^[a-z_]{1,63}$/)),
  columns: z.array(text(63)).check(z.maxLength(200)),
  rows: count,
  bytes: count,
  sha256: digest,
})

const archiveManifest = z.object({
  format: integer,
  /** `parley`, or the service whose export was converted. */
  made_by: text(100),
  version: text(100),
  /** UNIX seconds of the snapshot. */
  made_at: count,
  organization: z.object({
    id: z.int().check(z.minimum(1), z.maximum(MAX_POSITION)),
    name: text(1_000),
    subdomain: text(1_000),
    url: text(MAX_URL_CHARACTERS),
  }),
  /** Log position that no ID in the archive exceeds. */
  position: z.int().check(z.minimum(0), z.maximum(MAX_POSITION)),
  with_secrets: z.boolean(),
  tables: z.array(archiveTable).check(z.maxLength(MAX_TABLES_PER_ARCHIVE)),
  files: z.object({ count, bytes: count }),
  left_out: z.array(reportEntry).check(z.maxLength(MAX_REPORT_ENTRIES)),
})
export type ArchiveManifest = z.output<typeof archiveManifest>
export type ArchiveTable = z.output<typeof archiveTable>

export const pathOfTable = (name: string): string => `tables/${name}.jsonl`
export const pathOfFile = (sha256: string): string => `files/${sha256.slice(0, 2)}/${sha256}`

export async function writeManifest(folder: string, manifest: ArchiveManifest): Promise<void> {
  await writeDurably(join(folder, MANIFEST_FILE), `${JSON.stringify(manifest, null, 1)}\n`)
}

/** Returns the manifest and its digest, which identifies the archive. @throws DamagedArchive */
export async function readManifest(
  folder: string,
): Promise<{ readonly manifest: ArchiveManifest; readonly digest: string }> {
  const bytes = await readSmallFile(join(folder, MANIFEST_FILE))
  if (bytes === undefined && (await stat(folder).catch(defaultIfMissing(undefined))) === undefined) {
    throw new ImportRefusedError(`${folder} does not exist.`)
  }
  if (bytes === undefined) {
    throw new DamagedArchive(`${folder} is not a complete archive: it has no ${MANIFEST_FILE}, which is written last.`)
  }
  const parsed = archiveManifest.safeParse(parseJson(bytes))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new DamagedArchive(`${MANIFEST_FILE} is invalid: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`)
  }
  const manifest = parsed.data
  if (manifest.format !== ARCHIVE_FORMAT) {
    throw new DamagedArchive(
      `${folder} has format ${manifest.format}, which this version cannot read. Use a later version of Parley.`,
    )
  }
  const names = new Set(manifest.tables.map(({ name }) => name))
  if (names.size < manifest.tables.length) throw new DamagedArchive(`${MANIFEST_FILE} lists a table twice.`)
  return { manifest, digest: createHash('sha256').update(bytes).digest('hex') }
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

async function readSmallFile(path: string): Promise<Buffer | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => undefined)
  if (file === undefined) return undefined
  try {
    const state = await file.stat()
    if (!state.isFile()) return undefined
    if (state.size > MAX_MANIFEST_BYTES) throw new DamagedArchive(`${path} is too large for a manifest.`)
    return await file.readFile()
  } finally {
    await file.close()
  }
}
