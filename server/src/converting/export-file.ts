import { isAscii } from 'node:buffer'
import type { Readable } from 'node:stream'
import { toPrintable } from '../kernel/characters.ts'
import { messageOf } from '../kernel/phrases.ts'
import { DamagedArchive } from '../platform/backup/reporting.ts'

/** Maximum number of files in an export. Some exports have one file per channel and day. */
export const MAX_FILES_PER_EXPORT = 2_000_000
const MAX_SHOWN_CHARACTERS = 300
/** Maximum compression ratio. Text typically shrinks to a tenth of its size. */
const MAX_COMPRESSION_RATIO = 100
/** Unpacked size that is allowed at any ratio, because repetitive text can exceed `MAX_COMPRESSION_RATIO`. */
const ALWAYS_ALLOWED_UNPACKED_BYTES = 64 * 1024 * 1024

export interface ExportFile {
  readonly path: string
  readonly archive: string
  readonly size: number
  /** True if the archive does not specify the path's encoding. */
  readonly isPathUncertain?: boolean
  /** @throws DamagedArchive; the returned stream can also fail with it */
  readonly open: () => Promise<Readable>
}

export interface OpenedFiles {
  readonly files: ReadonlyMap<string, ExportFile>
  readonly close: () => void
}

/** @throws DamagedArchive if an archive unpacks to more than any export contains */
export function refuseLargeExpansion(path: string, packed: number, unpacked: number): void {
  if (unpacked > Math.max(ALWAYS_ALLOWED_UNPACKED_BYTES, packed * MAX_COMPRESSION_RATIO)) {
    throw new DamagedArchive(`${path} would be far larger than any export when unpacked.`)
  }
}

/** @throws DamagedArchive if the missing file could be `uncertain`, whose name may have been decoded incorrectly */
export function refuseUncertainPath(missing: string, uncertain: ExportFile | undefined): void {
  if (uncertain?.isPathUncertain !== true || isAscii(Buffer.from(missing))) return
  throw new DamagedArchive(
    `${uncertain.archive} has file names in an unknown encoding, such as ${toPrintable(uncertain.path.slice(0, MAX_SHOWN_CHARACTERS))}: unpack it with the right encoding, and import the folder.`,
  )
}

/** Normalizes a path, because some systems decompose accented letters. */
export function normalizePath(path: string): string {
  return path.normalize('NFC')
}

/** Returns a path without control characters: a malicious path could contain terminal escape sequences. */
export function describePath({ path, archive }: Pick<ExportFile, 'path' | 'archive'>): string {
  return `${toPrintable(path.slice(0, MAX_SHOWN_CHARACTERS))} in ${archive}`
}

export function unreadableReason(error: unknown): string {
  return `${toPrintable(messageOf(error)).replace(/[.?]$/, '')}.`
}

/** Whether an error comes from the operating system rather than from the archive. */
export function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}
