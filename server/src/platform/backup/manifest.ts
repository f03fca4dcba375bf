import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { DamagedBackup } from './reporting.ts'
import { defaultIfMissing, writeDurably } from './folder.ts'

/*
 * A backup is a folder:
 *   manifest.json          its description, written last
 *   manifest.json.sha256   its checksum, for `sha256sum -c`
 *   SHA256SUMS             checksums of all other files, for `sha256sum -c`, sorted by path
 *   data/                  the data folder, without the database
 *   database/NAME.copy.gz  rows of each table, as written by COPY
 */

/** Incremented when older versions cannot read the new format. */
export const BACKUP_FORMAT = 1

export const MANIFEST_FILE = 'manifest.json'
export const MANIFEST_CHECKSUM_FILE = 'manifest.json.sha256'
export const CHECKSUMS_FILE = 'SHA256SUMS'
export const DATA_FOLDER = 'data'
export const DATABASE_FOLDER = 'database'

export interface TableEntry {
  readonly name: string
  readonly columns: readonly string[]
  readonly rows: number
  readonly sha256: string
}

export interface Manifest {
  readonly format: number
  readonly parley: string
  readonly postgres: string
  /** UNIX seconds of the start and of the snapshot. */
  readonly begunAt: number
  readonly snapshotAt: number
  readonly migrations: readonly string[]
  readonly organizations: readonly { readonly id: number; readonly subdomain: string; readonly position: number }[]
  readonly tables: readonly TableEntry[]
  readonly sequences: readonly { readonly name: string; readonly last: number }[]
  readonly files: number
  /** SHA-256 of SHA256SUMS. */
  readonly sums: string
}

export const pathOfTable = (name: string): string => `${DATABASE_FOLDER}/${name}.copy.gz`

export const countRows = ({ tables }: Pick<Manifest, 'tables'>): number =>
  tables.reduce((sum, { rows }) => sum + rows, 0)

/** Completes a backup; nothing can be added afterward. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const text = `${JSON.stringify(manifest, null, 1)}\n`
  await writeDurably(join(folder, MANIFEST_CHECKSUM_FILE), `${sha256Hex(text)}  ${MANIFEST_FILE}\n`)
  await writeDurably(join(folder, MANIFEST_FILE), text)
}

/** @throws DamagedBackup if the manifest is missing or damaged; Error if a newer version wrote it */
export async function readManifest(folder: string): Promise<Manifest> {
  const place = resolve(folder)
  const [text, sum] = await Promise.all([
    readTextIfPresent(join(folder, MANIFEST_FILE)),
    readTextIfPresent(join(folder, MANIFEST_CHECKSUM_FILE)),
  ])
  if (text === undefined) {
    await requireFolder(place)
    throw new DamagedBackup(
      `${place} is not a complete backup: it has no ${MANIFEST_FILE}, which is written last. Was the backup interrupted?`,
    )
  }
  if (sum !== `${sha256Hex(text)}  ${MANIFEST_FILE}\n`) {
    throw new DamagedBackup(`${MANIFEST_FILE} does not match the checksum in ${MANIFEST_CHECKSUM_FILE}.`)
  }
  // Safe: the checksum proves that writeManifest() wrote this content; the format is checked next.
  const manifest = JSON.parse(text) as Manifest
  if (manifest.format !== BACKUP_FORMAT) {
    throw new Error(
      `${place} was written by Parley ${manifest.parley} in format ${manifest.format}, which this version cannot read. Use that version or a later one.`,
    )
  }
  return manifest
}

async function requireFolder(place: string): Promise<void> {
  const state = await stat(place).catch(defaultIfMissing(undefined))
  if (state === undefined) throw new Error(`The folder ${place} does not exist.`)
  if (!state.isDirectory()) throw new Error(`${place} is not a folder.`)
}

export function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

async function readTextIfPresent(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined
    throw error
  })
}
