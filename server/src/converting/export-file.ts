import { isAscii } from 'node:buffer'
import type { Readable } from 'node:stream'
import { printablePart } from '../kernel/characters.ts'
import { messageOf } from '../kernel/phrases.ts'
import { DamagedArchive } from '../platform/backup/reporting.ts'

/** Large because some exports have one file per channel and day. */
export const MAX_FILES = 2_000_000
/** Maximum length of a path in a message. */
const MAX_SHOWN = 300

/** File of an export, opened on demand. */
export interface ExportFile {
  readonly path: string
  /** Path of the export. */
  readonly archive: string
  readonly size: number
  /** Whether the archive does not specify the path's encoding, so that the path may be misread. */
  readonly isPathUncertain?: boolean
  /** @throws DamagedArchive (also from the stream) if the contents are damaged or exceed `size` */
  readonly open: () => Promise<Readable>
}

export interface OpenedFiles {
  readonly files: ReadonlyMap<string, ExportFile>
  readonly close: () => void
}

/**
 * Refuses an archive that lacks a file if the name of another file may have been misread, because that could be the
 * missing one.
 * @throws DamagedArchive
 */
export function refuseUncertain(missing: string, uncertain: ExportFile | undefined): void {
  if (uncertain?.isPathUncertain !== true || isAscii(Buffer.from(missing))) return
  throw new DamagedArchive(
    `${uncertain.archive} has names of files in an encoding that it does not name, such as ${printablePart(uncertain.path.slice(0, MAX_SHOWN))}: unpack it with the right encoding, and import the folder.`,
  )
}

/** Normalizes a path for lookups: some systems decompose accented letters. */
export function comparedPath(path: string): string {
  return path.normalize('NFC')
}

/**
 * Describes a file for the operator. Removes control characters, because a malicious path could contain terminal
 * commands.
 */
export function placeOf({ path, archive }: Pick<ExportFile, 'path' | 'archive'>): string {
  return `${printablePart(path.slice(0, MAX_SHOWN))} in ${archive}`
}

/** Returns an error's reason as the end of a sentence, without control characters from the archive. */
export function reasonOf(error: unknown): string {
  return `${printablePart(messageOf(error)).replace(/\.$/, '')}.`
}

/** Whether the system failed, for example because the disk is full, and not the archive. */
export function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}
