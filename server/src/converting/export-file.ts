import type { Readable } from 'node:stream'
import { printablePart } from '../kernel/characters.ts'
import { messageOf } from '../kernel/message-of.ts'

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
  /** @throws DamagedArchive, or its stream does, where what is there is not as it was written, or more than `size` says */
  readonly open: () => Promise<Readable>
}

/** The files of what was opened. */
export interface OpenedFiles {
  readonly files: ReadonlyMap<string, ExportFile>
  readonly close: () => void
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
