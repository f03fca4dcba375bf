/* Generated organizations, created once per run and shared between figures. */
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { generateOrganization, LANDMARKS_FILE } from '../generate/organization.js'
import { temporaryFolder } from './ending.js'

/** @typedef {import('../generate/shape.js').Size} Size */
/** @typedef {{ data: string, landmarks: import('../generate/write.js').Landmarks }} Organization */

/** For benchmarks of reads and writes. @type {Size} */
export const LARGE_ORGANIZATION = { users: 10_000, channels: 500, messages: 2_000_000, longTopic: 100_000, seed: 1 }
/** For comparison: the same people with 1% of the messages. @type {Size} */
export const SMALL_ORGANIZATION = { ...LARGE_ORGANIZATION, messages: 20_000, longTopic: 0 }

/** @type {Map<string, Promise<Organization>>} */
const organizationsBySize = new Map()

/** Returns an organization in a data directory that is not in use. @param {Size} size */
export function ensureOrganization(size) {
  const key = JSON.stringify(size)
  const known = organizationsBySize.get(key) ?? generateOnce(size)
  organizationsBySize.set(key, known)
  return known
}

/** @param {Size} size @returns {Promise<Organization>} */
async function generateOnce(size) {
  const data = await ensureData(Object.values(size).join('-'), LANDMARKS_FILE, async (directory) =>
    generateOrganization(directory, size),
  )
  return { data, landmarks: JSON.parse(readFileSync(join(data, LANDMARKS_FILE), 'utf8')) }
}

/**
 * Returns a folder of generated data. If `PARLEY_BENCH_DATA` names a folder, later runs reuse the data from there.
 * @param {string} name @param {string} last file that is written last @param {(data: string) => Promise<unknown>} make
 */
export async function ensureData(name, last, make) {
  const kept = process.env['PARLEY_BENCH_DATA']
  const data = kept === undefined ? temporaryFolder() : join(kept, name)
  if (existsSync(join(data, last))) return data
  rmSync(data, { recursive: true, force: true })
  await make(data)
  return data
}

/** Reads a stopped database into the page cache, to not measure the disk. @param {Organization} organization */
export function readTables({ data }) {
  const tables = join(data, 'postgres', 'data', 'base')
  const room = Buffer.alloc(1024 * 1024)
  for (const entry of readdirSync(tables, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = openSync(join(entry.parentPath, entry.name), 'r')
    while (readSync(file, room) > 0);
    closeSync(file)
  }
}
