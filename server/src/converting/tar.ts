import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type * as tar from 'tar-stream'
import { isRecord } from '../kernel/keys.ts'
import { chunksOf, toNodeWritable } from '../platform/chunks.ts'
import { makeFolder } from '../platform/folders.ts'
import { DamagedArchive } from '../platform/backup/reporting.ts'
import { openRegularFile } from '../platform/moving/lines.ts'
import {
  isSystemError,
  MAX_FILES_PER_EXPORT,
  unreadableReason,
  refuseLargeExpansion,
  type ExportFile,
  type OpenedFiles,
} from './export-file.ts'

const FILES_PER_FOLDER = 1_000
/** The package's types lack the option for headers without a signature, which old programs write. */
const EXTRACT_OPTIONS: Parameters<typeof tar.extract>[0] & { readonly allowUnknownFormat: boolean } = {
  allowUnknownFormat: true,
}

/**
 * Unpacks an archive, because it can only be read sequentially. Names on disk are numbers, so that names in the archive
 * cannot escape the `folder`, which must be empty. Skips links and devices. @throws DamagedArchive
 */
export async function openTar(path: string, folder: string, signal: AbortSignal): Promise<OpenedFiles> {
  const { extract } = await import('tar-stream')
  const { size: packed } = await stat(path)
  const files = new Map<string, ExportFile>()
  const entries = extract(EXTRACT_OPTIONS)
  const bytes = pipeline(
    createReadStream(path, { highWaterMark: 256 * 1024 }),
    createGunzip(),
    (chunks: AsyncIterable<unknown>) => limitSize(chunks, path, packed),
    toNodeWritable(entries),
    { signal },
  )
  bytes.catch(() => undefined)
  let [count, written] = [0, 0]
  try {
    for await (const entry of entries) {
      const { name, size, type, pax } = entry.header
      // Given an invalid size, the package would wait forever.
      if (!Number.isSafeInteger(size)) throw new Error('Invalid header')
      refuseLargeExpansion(path, packed, entry.offset + size)
      if ((count += 1) > MAX_FILES_PER_EXPORT) throw new DamagedArchive(`${path} has more files than any export.`)
      if (isSparse(type, pax)) throw new DamagedArchive(`${path} has sparse files or other special entries.`)
      if (type === 'file' || type === 'contiguous-file') {
        const parent = join(folder, String(Math.floor(written / FILES_PER_FOLDER)))
        await makeFolder(parent)
        const target = join(parent, String(written))
        await pipeline(chunksOf(entry), createWriteStream(target, { mode: 0o600 }), { signal })
        written += 1
        const clean = name.replace(/^(\.\/)+/, '')
        files.set(clean, {
          path: clean,
          archive: path,
          size,
          isPathUncertain: clean.includes('\ufffd'),
          open: async () => (await openRegularFile(target)).createReadStream(),
        })
      } else entry.resume()
    }
    // Waits for the end, where gzip verifies its checksum.
    await bytes
  } catch (error) {
    if (error instanceof DamagedArchive || signal.aborted || isSystemError(error)) throw error
    throw new DamagedArchive(`${path} is not a readable .tar.gz archive: ${unreadableReason(error)}`, { cause: error })
  }
  return { files, close: () => undefined }
}

/** Limits the unpacked size, including headers: an archive can contain any number of empty files. */
async function* limitSize(chunks: AsyncIterable<unknown>, path: string, packed: number): AsyncGenerator<Buffer> {
  let unpacked = 0
  for await (const chunk of chunksOf(chunks)) {
    refuseLargeExpansion(path, packed, (unpacked += chunk.length))
    yield chunk
  }
}

/** Whether an entry is a sparse file, whose holes are listed separately. tar-stream has no name for GNU's type. */
function isSparse(type: string | null, pax: unknown): boolean {
  return type === null || (isRecord(pax) && Object.keys(pax).some((key) => key.startsWith('GNU.sparse.')))
}
