import { stat } from 'node:fs/promises'
import type { Entry, ZipFile } from 'yauzl'
import { DamagedArchive } from '../platform/moving/damage.ts'
import { MAX_FILES, type ExportFile, type OpenedFiles } from './export-file.ts'
import { refuseLarge } from './unpacked-size.ts'

/**
 * Opens a ZIP archive and lists what is in it. Nothing is written anywhere, and names that lead out of it are refused. No more
 * is unpacked of a file than it says to be, and what all of them say is bounded.
 * @throws DamagedArchive
 */
export async function openZip(path: string): Promise<OpenedFiles> {
  const { openPromise } = await import('yauzl')
  const { size } = await stat(path)
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch((error: unknown) => {
    throw new DamagedArchive(`${path} is no ZIP archive that can be read.`, { cause: error })
  })
  const files = new Map<string, ExportFile>()
  let [packed, unpacked] = [0, 0]
  try {
    if (zip.entryCount > MAX_FILES) throw new DamagedArchive(`${path} has more files than any export.`)
    await eachEntry(zip, (entry) => {
      packed += entry.compressedSize
      unpacked += entry.uncompressedSize
      // Files that overlap are how a small archive becomes a large one.
      refuseLarge(path, size, packed > size ? Infinity : unpacked)
      if (entry.fileName.endsWith('/')) return
      const { fileName, uncompressedSize } = entry
      files.set(fileName, {
        path: fileName,
        size: uncompressedSize,
        open: async () => zip.openReadStreamPromise(entry),
      })
    })
  } catch (error) {
    zip.close()
    if (error instanceof DamagedArchive) throw error
    const why = error instanceof Error ? `: ${error.message}` : ''
    throw new DamagedArchive(`${path} is no ZIP archive that can be read${why}.`, { cause: error })
  }
  return { files, close: () => zip.close() }
}

async function eachEntry(zip: ZipFile, hear: (entry: Entry) => void): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    zip.on('error', reject)
    zip.on('end', resolve)
    zip.on('entry', (entry: Entry) => {
      try {
        hear(entry)
        zip.readEntry()
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)))
      }
    })
    zip.readEntry()
  })
}
