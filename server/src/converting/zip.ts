import { isUtf8 } from 'node:buffer'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import type { Entry, ZipFile } from 'yauzl'
import { DamagedArchive } from '../platform/backup/reporting.ts'
import { chunksOf } from '../platform/chunks.ts'
import {
  isSystemError,
  MAX_FILES_PER_EXPORT,
  describePath,
  unreadableReason,
  refuseLargeExpansion,
  type ExportFile,
  type OpenedFiles,
} from './export-file.ts'

const UTF8_NAME_FLAG = 0x800

/** Rejects paths that leave the archive, and limits each file's size and the total size. @throws DamagedArchive */
export async function openZip(path: string): Promise<OpenedFiles> {
  const { getFileNameLowLevel, openPromise, validateFileName } = await import('yauzl')
  const { size } = await stat(path)
  const none = (error: unknown): DamagedArchive =>
    new DamagedArchive(`${path} is not a readable ZIP archive: ${unreadableReason(error)}`, { cause: error })
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false, decodeStrings: false }).catch(
    (error: unknown) => {
      throw none(error)
    },
  )
  const files = new Map<string, ExportFile>()
  let [packed, unpacked] = [0, 0]
  try {
    if (zip.entryCount > MAX_FILES_PER_EXPORT) throw new DamagedArchive(`${path} has more files than any export.`)
    await forEachEntry(zip, (entry) => {
      packed += entry.compressedSize
      unpacked += entry.uncompressedSize
      // A small archive whose files overlap can unpack to a huge size.
      refuseLargeExpansion(path, size, packed > size ? Infinity : unpacked)
      const { uncompressedSize, fileNameRaw: bytes, extraFields } = entry
      // Sets the flag for UTF-8, because many programs write names in UTF-8 without setting it.
      const flags = entry.generalPurposeBitFlag | (isUtf8(bytes) ? UTF8_NAME_FLAG : 0)
      const fileName = getFileNameLowLevel(flags, bytes, extraFields, false)
      const wrong = validateFileName(fileName)
      if (wrong !== null) throw new Error(wrong)
      if (fileName.endsWith('/')) return
      // Either of two files with the same path could be the right one.
      if (files.has(fileName))
        throw new DamagedArchive(`${describePath({ path: fileName, archive: path })} occurs twice.`)
      files.set(fileName, {
        path: fileName,
        archive: path,
        size: uncompressedSize,
        // The path is certain if an extra field contains the name in UTF-8.
        isPathUncertain: !isUtf8(bytes) && fileName === getFileNameLowLevel(flags, bytes, [], false),
        open: async () => Readable.from(checkedChunks(zip, entry, describePath({ path: fileName, archive: path }))),
      })
    })
  } catch (error) {
    zip.close()
    throw error instanceof DamagedArchive ? error : none(error)
  }
  return { files, close: () => zip.close() }
}

/** Yields the content of a file. Throws at the end if the checksum is wrong. */
async function* checkedChunks(zip: ZipFile, entry: Entry, place: string): AsyncGenerator<Buffer> {
  const refuse = (error: unknown): never => {
    if (isSystemError(error)) throw error
    throw new DamagedArchive(`${place} is damaged: ${unreadableReason(error)}`, { cause: error })
  }
  const stream = await zip.openReadStreamPromise(entry).catch(refuse)
  const chunks = chunksOf(stream)
  let sum = 0
  try {
    for (let next = await chunks.next().catch(refuse); next.done !== true; next = await chunks.next().catch(refuse)) {
      sum = crc32(next.value, sum)
      yield next.value
    }
  } finally {
    await chunks.return(undefined)
  }
  if (sum !== entry.crc32)
    throw new DamagedArchive(`${place} is damaged: its checksum does not match the one in the archive.`)
}

async function forEachEntry(zip: ZipFile, onEntry: (entry: Entry) => void): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    zip.on('error', reject)
    zip.on('end', resolve)
    zip.on('entry', (entry: Entry) => {
      try {
        onEntry(entry)
        zip.readEntry()
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)))
      }
    })
    zip.readEntry()
  })
}
