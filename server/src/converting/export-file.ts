import { isAscii } from 'node:buffer'
import type { Readable } from 'node:stream'
import { printablePart } from '../kernel/characters.ts'
import { messageOf } from '../kernel/message-of.ts'
import { DamagedArchive } from '../platform/moving/damage.ts'

/** A day of each channel is a file in some exports. */
export const MAX_FILES = 2_000_000
/** Of a path, in a sentence. */
const MAX_SHOWN = 300

/** A file of an export, which is read only when it is asked for. */
export interface ExportFile {
  readonly path: string
  /** Where the export is. */
  readonly archive: string
  readonly size: number
  /** Whether the archive does not say in which encoding the path is, so that it may be read wrong. */
  readonly isPathUncertain?: boolean
  /** @throws DamagedArchive, or its stream does, where what is there is not as it was written, or more than `size` says */
  readonly open: () => Promise<Readable>
}

/** The files of what was opened. */
export interface OpenedFiles {
  readonly files: ReadonlyMap<string, ExportFile>
  readonly close: () => void
}

/**
 * Refuses an archive that lacks a file, where the name of another could not be read, since that may be the file.
 * @throws DamagedArchive
 */
export function refuseUncertain(missing: string, uncertain: ExportFile | undefined): void {
  if (uncertain?.isPathUncertain !== true || isAscii(Buffer.from(missing))) return
  throw new DamagedArchive(
    `${uncertain.archive} has names of files in an encoding that it does not name, such as ${printablePart(uncertain.path.slice(0, MAX_SHOWN))}: unpack it with the right encoding, and import the folder.`,
  )
}

/** A path as it is looked up: some systems store letters and their accents apart. */
export function comparedPath(path: string): string {
  return path.normalize('NFC')
}

/** A file as a sentence for the operator names it. Its path may have been made to steer a terminal. */
export function placeOf({ path, archive }: Pick<ExportFile, 'path' | 'archive'>): string {
  return `${printablePart(path.slice(0, MAX_SHOWN))} in ${archive}`
}

/** What an error says, as the end of a sentence. It may quote what an archive says. */
export function reasonOf(error: unknown): string {
  return `${printablePart(messageOf(error)).replace(/\.$/, '')}.`
}

/** Whether the system has failed, as where the disk is full, and not the archive. */
export function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}
