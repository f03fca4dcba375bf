import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { formatCount } from '../../kernel/phrases.ts'
import { DamagedBackup, type Report } from './reporting.ts'
import { filesBelow, defaultIfMissing, computeChecksum } from './folder.ts'
import { loadDatabase, type LoadOptions } from './load.ts'
import { DATA_FOLDER, MANIFEST_FILE, MANIFEST_CHECKSUM_FILE, CHECKSUMS_FILE, type Manifest } from './manifest.ts'
import { readSums, SortedChecksums } from './sums.ts'

export interface SoundnessCheck {
  readonly fault: string
  readonly sql: string
}

export interface FileReferences {
  readonly sql: string
  readonly keyOf: (name: string) => string
}

const FILE_NAMES_PER_FETCH = 1_000

const MAX_REPORTED_FAULTS = 100

export async function checkFiles(
  folder: string,
  manifest: Manifest,
  report: Report,
  signal?: AbortSignal,
): Promise<string[]> {
  const list = join(folder, CHECKSUMS_FILE)
  const state = await stat(list).catch(defaultIfMissing(undefined))
  if (state === undefined) return [`${CHECKSUMS_FILE} is missing.`]
  if ((await computeChecksum(list)).sha256 !== manifest.sums)
    return [`${CHECKSUMS_FILE} does not match the checksum in ${MANIFEST_FILE}.`]
  const faults: string[] = []
  const add = (fault: string): void => void (faults.length < MAX_REPORTED_FAULTS && faults.push(fault))
  const sums = new SortedChecksums(readSums(list))
  const addMissing = async (before: string | undefined): Promise<void> => {
    for (let missing = await sums.takeBefore(before); missing; missing = await sums.takeBefore(before)) {
      add(`${missing.path} is missing.`)
    }
  }
  let bytes = 0
  let files = 0
  for await (const { path } of filesBelow(
    folder,
    (name) => ![MANIFEST_FILE, MANIFEST_CHECKSUM_FILE, CHECKSUMS_FILE].includes(name),
  )) {
    signal?.throwIfAborted()
    await addMissing(path)
    const expected = await sums.take(path)
    if (expected === undefined) add(`${path} does not belong to the backup.`)
    else {
      const { sha256 } = await computeChecksum(join(folder, path), (count) => report('checksums', (bytes += count), 0))
      if (sha256 !== expected) add(`${path} does not match its checksum.`)
      if (path.startsWith(`${DATA_FOLDER}/`)) files += 1
    }
  }
  await addMissing(undefined)
  if (faults.length === 0 && files !== manifest.files)
    add(`The backup has ${formatCount(files, 'file', 'files')}, but ${MANIFEST_FILE} says ${manifest.files}.`)
  return faults
}

export interface CheckedDatabase {
  readonly faults: readonly string[]
  /** Files that the database names but the backup lacks: lost, or deleted during the backup. */
  readonly missingFiles: readonly string[]
}

export async function checkDatabase(
  options: LoadOptions & { readonly manifest: Manifest },
  checks: readonly SoundnessCheck[],
  named: FileReferences,
): Promise<CheckedDatabase> {
  const { client, manifest, folder } = options
  await client.query('begin')
  let leftOut: readonly string[]
  try {
    leftOut = await loadDatabase(options)
  } catch (error) {
    if (error instanceof DamagedBackup) return { faults: [error.message], missingFiles: [] }
    throw error
  }
  await client.query('commit')
  const faults: string[] = []
  const { rows: positions } = await client.query<{ id: number; position: number }>(
    'select id, position from organizations',
  )
  const known = new Map(positions.map(({ id, position }) => [id, position]))
  for (const { id, subdomain, position } of manifest.organizations) {
    if (known.get(id) !== position) {
      faults.push(
        `The organization ${subdomain || id} is at position ${known.get(id)}, but ${MANIFEST_FILE} says ${position}.`,
      )
    }
  }
  for (const { name, rows } of manifest.tables) {
    if (leftOut.includes(name)) continue
    const { rows: found } = await client.query<{ count: number }>(
      `select count(*)::bigint as count from ${pg.escapeIdentifier(name)}`,
    )
    const count = found[0]?.count ?? 0
    if (count !== rows)
      faults.push(`The table ${name} has ${formatCount(count, 'row', 'rows')}, but ${MANIFEST_FILE} says ${rows}.`)
  }
  for (const { fault, sql } of checks) {
    const { rows } = await client.query<{ count: number }>(sql)
    const count = rows[0]?.count ?? 0
    if (count > 0) faults.push(`${count} ${fault}.`)
  }
  const { count, missing } = await findMissingFiles(client, folder, named)
  if (count > 0 && count === missing.length) {
    faults.push(`None of the ${count} files in the database is in the backup. Was PARLEY_DATA_DIR correct?`)
  }
  return { faults, missingFiles: missing }
}

async function findMissingFiles(
  client: pg.Client,
  folder: string,
  { sql, keyOf }: FileReferences,
): Promise<{ readonly count: number; readonly missing: readonly string[] }> {
  const missing: string[] = []
  let count = 0
  await client.query('begin')
  await client.query(`declare named cursor for ${sql}`)
  for (;;) {
    const { rows } = await client.query<{ name: string }>(`fetch ${FILE_NAMES_PER_FETCH} from named`)
    if (rows.length === 0) break
    for (const { name } of rows) {
      count += 1
      const path = `${DATA_FOLDER}/files/${keyOf(name)}`
      if ((await stat(join(folder, path)).catch(defaultIfMissing(undefined))) === undefined) missing.push(path)
    }
  }
  await client.query('commit')
  return { count, missing }
}
