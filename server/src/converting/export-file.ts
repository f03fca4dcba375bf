import type { Readable } from 'node:stream'

/** A day of each channel is a file in some exports. */
export const MAX_FILES = 2_000_000

/** A file of an export, which is read only when it is asked for. */
export interface ExportFile {
  readonly path: string
  readonly size: number
  /** Fails where there is more to read than `size` says. */
  readonly open: () => Promise<Readable>
}

/** The files of what was opened. */
export interface OpenedFiles {
  readonly files: ReadonlyMap<string, ExportFile>
  readonly close: () => void
}
