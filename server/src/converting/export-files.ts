import { opendir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { defaultIfMissing } from '../platform/backup/folder.ts'
import { DamagedArchive, ImportRefusedError } from '../platform/backup/reporting.ts'
import { chunksOf } from '../platform/chunks.ts'
import { openRegularFile, parseUntrustedJson } from '../platform/moving/lines.ts'
import { MANIFEST_FILE, pathOfTable } from '../platform/moving/manifest.ts'
import type { ReportList } from '../platform/moving/report-list.ts'
import {
  normalizePath,
  MAX_FILES_PER_EXPORT,
  describePath,
  unreadableReason,
  type ExportFile,
  type OpenedFiles,
} from './export-file.ts'
import { ItemReader, MAX_RECORD_BYTES } from './json-items.ts'
import { openTar } from './tar.ts'
import { openZip } from './zip.ts'

const MAX_LIST_FILE_BYTES = 256 * 1024 * 1024
const MAX_FOLDER_DEPTH = 20
export const INVALID_UTF8_REPORT = 'files with bytes that are not valid UTF-8, which become \ufffd'
const MACOS_METADATA_PATTERN = /^__MACOSX\/|(?:^|\/)(?:\.DS_Store$|\._)/
const TOO_LARGE_RECORDS_REPORT = `records over ${MAX_RECORD_BYTES / 1024 / 1024} MiB`

const GZIP_SIGNATURE = Buffer.from([0x1f, 0x8b])
/** Position of a TAR archive's signature. Uncompressed archives are refused, because they have no checksums. */
const TAR_SIGNATURE_POSITION = 257
const TAR_SIGNATURE = Buffer.from('ustar')

export interface ReadContext {
  readonly leftOut: ReportList
  readonly signal: AbortSignal
}

export interface ExportFiles extends OpenedFiles {
  readonly archive: string
  readonly uncertain: ExportFile | undefined
  readonly openedPaths: ReadonlySet<string>
  readonly outsidePaths: readonly string[]
}

/** Opens an export at the folder that contains all its files. Can extract it to `unpacked`. @throws DamagedArchive */
export async function openExport(
  path: string,
  kind: ExportKind,
  { unpacked, signal }: { readonly unpacked: string; readonly signal: AbortSignal },
): Promise<ExportFiles> {
  const state = await stat(path)
    .catch(defaultIfMissing(undefined))
    .catch((error: unknown) => {
      throw new DamagedArchive(`${path} cannot be read.`, { cause: error })
    })
  if (state === undefined) throw new ImportRefusedError(`${path} does not exist.`)
  const name = basename(path)
  const { files, close } = state.isDirectory()
    ? await openFolder(path)
    : kind.isMarker(name) && kind.isWhole
      ? openSingleFile(path, name, state.size)
      : await openPackedFile(path, unpacked, signal)
  try {
    const names = [...files.keys()].filter((other) => !MACOS_METADATA_PATTERN.test(other))
    const prefix = folderOfExport(path, names, kind)
    const openedPaths = new Set<string>()
    const below = [...files.values()]
      .filter((file) => file.path.startsWith(prefix) && !MACOS_METADATA_PATTERN.test(file.path))
      .map((file) =>
        recordPathWhenOpened({ ...file, path: normalizePath(file.path.slice(prefix.length)) }, openedPaths),
      )
      .toSorted((one, other) => (one.path < other.path ? -1 : 1))
    for (const [index, file] of below.entries()) {
      // Either of two files with the same path could be the right one.
      if (file.path === below[index + 1]?.path) throw new DamagedArchive(`${describePath(file)} occurs twice.`)
    }
    const uncertain = below.find(({ isPathUncertain }) => isPathUncertain === true)
    const outsidePaths = names.filter((other) => !other.startsWith(prefix))
    const byPath = new Map(below.map((file) => [file.path, file]))
    return { archive: path, files: byPath, uncertain, openedPaths, outsidePaths, close }
  } catch (error) {
    close()
    throw error
  }
}

function recordPathWhenOpened(file: ExportFile, openedPaths: Set<string>): ExportFile {
  const open = async (): Promise<Readable> => {
    openedPaths.add(file.path)
    return file.open()
  }
  return { ...file, open }
}

async function openPackedFile(path: string, unpacked: string, signal: AbortSignal): Promise<OpenedFiles> {
  const begin = Buffer.alloc(TAR_SIGNATURE_POSITION + TAR_SIGNATURE.length)
  const file = await openRegularFile(path)
  try {
    await file.read(begin, 0, begin.length, 0)
  } finally {
    await file.close()
  }
  if (begin.subarray(0, GZIP_SIGNATURE.length).equals(GZIP_SIGNATURE)) return openTar(path, unpacked, signal)
  if (begin.subarray(TAR_SIGNATURE_POSITION).equals(TAR_SIGNATURE))
    throw new DamagedArchive(
      `${path} is an uncompressed .tar archive. Compress it with gzip, or unpack it into a folder.`,
    )
  return openZip(path)
}

function openSingleFile(path: string, name: string, size: number): OpenedFiles {
  const open = async (): Promise<Readable> => (await openRegularFile(path)).createReadStream()
  return { files: new Map([[name, { path: name, archive: dirname(path), size, open }]]), close: () => undefined }
}

async function openFolder(root: string): Promise<OpenedFiles> {
  const files = new Map<string, ExportFile>()
  await addFolder(root, '', files, 0)
  return { files, close: () => undefined }
}

/** Adds a folder's files. Skips links, which could point anywhere. */
async function addFolder(root: string, prefix: string, files: Map<string, ExportFile>, depth: number): Promise<void> {
  if (depth > MAX_FOLDER_DEPTH) throw new DamagedArchive(`${root} nests folders more deeply than any export.`)
  for await (const entry of await opendir(join(root, prefix)).catch(createReadErrorHandler(root, prefix))) {
    const path = `${prefix}${entry.name}`
    if (entry.isDirectory()) await addFolder(root, `${path}/`, files, depth + 1)
    if (!entry.isFile()) continue
    if (files.size >= MAX_FILES_PER_EXPORT) throw new DamagedArchive(`${root} has more files than any export.`)
    const { size } = await stat(join(root, path)).catch(createReadErrorHandler(root, path))
    const open = async (): Promise<Readable> => (await openRegularFile(join(root, path))).createReadStream()
    files.set(path, { path, archive: root, size, open })
  }
}

/** Returns a handler for read errors, which occur if a name is not UTF-8 or a folder is not accessible. */
function createReadErrorHandler(root: string, path: string): (error: unknown) => never {
  return (error) => {
    throw new DamagedArchive(`${describePath({ path, archive: root })} cannot be read.`, { cause: error })
  }
}

/** @throws DamagedArchive if the file is missing */
export function requireFile({ archive, files }: ExportFiles, path: string): ExportFile {
  const file = files.get(path)
  if (file === undefined) throw new DamagedArchive(`${archive} is incomplete: it has no ${path}.`)
  return file
}

/** Reads one item at a time. @throws DamagedArchive if the file contains no list */
export async function* itemsOf(file: ExportFile, context: ReadContext): AsyncGenerator {
  const reader = new ItemReader()
  for await (const { list, value } of valuesIn(file, reader, context)) if (list === undefined) yield value
  if (reader.kind !== 'list') throw new DamagedArchive(`${describePath(file)} is not a list.`)
}

/** Returns undefined if the file contains no object. @throws DamagedArchive if it is not JSON or is too large */
export async function readLists(
  file: ExportFile,
  names: readonly string[],
  context: ReadContext,
): Promise<Record<string, unknown[]> | undefined> {
  if (file.size > MAX_LIST_FILE_BYTES)
    throw new DamagedArchive(
      `${describePath(file)} is larger than the limit of ${MAX_LIST_FILE_BYTES / 1024 / 1024} MiB.`,
    )
  const reader = new ItemReader()
  const lists = new Map(names.map((name): [string, unknown[]] => [name, []]))
  for await (const { list = '', value } of valuesIn(file, reader, context)) lists.get(list)?.push(value)
  if (reader.kind !== 'object') return undefined
  return Object.fromEntries([...lists].filter(([name]) => reader.lists.has(name)))
}

async function* valuesIn(
  file: ExportFile,
  reader: ItemReader,
  { leftOut, signal }: ReadContext,
): AsyncGenerator<{ readonly list: string | undefined; readonly value: unknown }> {
  let isWhole = true
  try {
    for await (const chunk of chunksOf(await file.open())) {
      for (const { list, text, isUtf8 } of reader.read(chunk)) {
        signal.throwIfAborted()
        if (!isUtf8 && isWhole) leftOut.add(INVALID_UTF8_REPORT, file.path)
        isWhole &&= isUtf8
        if (text === undefined) leftOut.add(TOO_LARGE_RECORDS_REPORT, file.path)
        else yield { list, value: parseUntrustedJson(text) }
      }
    }
    reader.end()
  } catch (error) {
    if (error instanceof RangeError)
      throw new DamagedArchive(`${describePath(file)} cannot be read: ${unreadableReason(error)}`, { cause: error })
    if (error instanceof SyntaxError)
      throw new DamagedArchive(`${describePath(file)} is not valid JSON: ${unreadableReason(error)}`, { cause: error })
    throw error
  }
}

export interface ExportKind {
  readonly title: string
  readonly word: string
  readonly file: string
  readonly isMarker: (path: string) => boolean
  /** Whether this file alone is a complete export. */
  readonly isWhole: boolean
}

export const SLACK: ExportKind = {
  title: 'Slack',
  word: 'slack',
  file: 'users.json',
  isMarker: (path) => path === 'users.json',
  isWhole: false,
}

export const MATTERMOST: ExportKind = {
  title: 'Mattermost',
  word: 'mattermost',
  file: '.jsonl file',
  isMarker: (path) => /^[^/]+\.jsonl$/.test(path),
  isWhole: true,
}

export const ZULIP: ExportKind = {
  title: 'Zulip',
  word: 'zulip',
  file: 'realm.json',
  isMarker: (path) => path === 'realm.json',
  isWhole: false,
}

const PARLEY_ARCHIVE_FILES: readonly string[] = [MANIFEST_FILE, pathOfTable('organization_settings')]

/** Returns the prefix of the export's paths: many archives contain the export in a folder. @throws DamagedArchive */
function folderOfExport(archive: string, paths: readonly string[], kind: ExportKind): string {
  const isThere = (isOne: (path: string) => boolean): string | undefined =>
    paths.find(isOne) ?? paths.find((path) => isOne(withoutTopFolder(path)))
  // Looks for a Parley archive first, because its tables resemble a Mattermost export.
  if (PARLEY_ARCHIVE_FILES.every((one) => isThere((path) => path === one) !== undefined))
    throw new DamagedArchive(`${archive} is a Parley archive: use \`parley import parley\`.`)
  const found = isThere(kind.isMarker)
  if (found !== undefined) return kind.isMarker(found) ? '' : found.slice(0, found.indexOf('/') + 1)
  const what = paths.length === 0 ? 'is empty' : `has no ${kind.file}`
  const other = [ZULIP, SLACK, MATTERMOST].find(({ isMarker }) => isThere(isMarker) !== undefined)
  const guess =
    other === undefined ? '' : ` It looks like a ${other.title} export: use \`parley import ${other.word}\`.`
  throw new DamagedArchive(`${archive} is not a ${kind.title} export: it ${what}.${guess}`)
}

function withoutTopFolder(path: string): string {
  return path.replace(/^[^/]+\//, '')
}
