import { opendir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { DamagedArchive } from '../platform/moving/damage.ts'
import { openPlain } from '../platform/moving/lines.ts'
import { MAX_FILES, type ExportFile, type OpenedFiles } from './export-file.ts'
import { openTar } from './tar.ts'
import { openZip } from './zip.ts'

/** What one file of JSON may be; it is read into memory whole. Days of a channel and lists of people are far smaller. */
export const MAX_JSON_BYTES = 256 * 1024 * 1024
const MAX_DEPTH = 20

/** Where an archive says by its first two bytes that it is packed by gzip. */
const GZIP = Buffer.from([0x1f, 0x8b])

/** What another service exported: a ZIP archive, a `.tar.gz`, or a folder. */
export interface ExportFiles extends OpenedFiles {
  /** What the archive is called. */
  readonly name: string
}

/**
 * Opens an export. Archives often have all of it in one folder, which then is left out of the paths.
 * @param marker a file that each of these exports has
 * @param unpacked where what can only be read in one go is unpacked; nothing is there yet
 * @throws DamagedArchive where there is no such file
 */
export async function openExport(
  path: string,
  marker: (path: string) => boolean,
  { unpacked, signal }: { readonly unpacked: string; readonly signal: AbortSignal },
): Promise<ExportFiles> {
  const state = await stat(path).catch((error: unknown) => {
    throw new DamagedArchive(`${path} cannot be read.`, { cause: error })
  })
  const { files, close } = state.isDirectory()
    ? await openFolder(path)
    : (await isPackedByGzip(path))
      ? await openTar(path, unpacked, signal)
      : await openZip(path)
  const inside = [...files.keys()]
  const inner = inside.find((one) => marker(one)) ?? inside.find((one) => marker(one.replace(/^[^/]+\//, '')))
  if (inner === undefined) {
    close()
    throw new DamagedArchive(`${path} is no such export, or not whole.`)
  }
  const prefix = marker(inner) ? '' : inner.slice(0, inner.indexOf('/') + 1)
  // In an order that depends on names alone.
  const below = [...files.values()]
    .filter((file) => file.path.startsWith(prefix))
    .map((file) => ({ ...file, path: file.path.slice(prefix.length) }))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
  return { name: basename(path), files: new Map(below.map((file) => [file.path, file])), close }
}

async function isPackedByGzip(path: string): Promise<boolean> {
  const file = await openPlain(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(GZIP.length), 0, GZIP.length, 0)
    return buffer.equals(GZIP)
  } finally {
    await file.close()
  }
}

async function openFolder(root: string): Promise<OpenedFiles> {
  const files = new Map<string, ExportFile>()
  await addFolder(root, '', files, 0)
  return { files, close: () => undefined }
}

/** Links are not followed: they could lead anywhere. */
async function addFolder(root: string, prefix: string, files: Map<string, ExportFile>, depth: number): Promise<void> {
  if (depth > MAX_DEPTH) throw new DamagedArchive(`${root} has more folders within each other than any export.`)
  for await (const entry of await opendir(join(root, prefix))) {
    const path = `${prefix}${entry.name}`
    if (entry.isDirectory()) await addFolder(root, `${path}/`, files, depth + 1)
    if (!entry.isFile()) continue
    if (files.size >= MAX_FILES) throw new DamagedArchive(`${root} has more files than any export.`)
    const { size } = await stat(join(root, path))
    files.set(path, { path, size, open: async () => (await openPlain(join(root, path))).createReadStream() })
  }
}

/** What a file of JSON says; undefined where it says nothing, cannot be unpacked or is too large. */
export async function jsonIn(file: ExportFile): Promise<unknown> {
  if (file.size > MAX_JSON_BYTES) return undefined
  try {
    const chunks: Buffer[] = []
    // A stream without an encoding gives buffers.
    for await (const chunk of (await file.open()) as AsyncIterable<Buffer>) chunks.push(chunk)
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown
  } catch {
    return undefined
  }
}
