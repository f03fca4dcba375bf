/*
 * Generated organizations, each made once in a run and shared by the figures that ask for the same.
 */
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { generate, LANDMARKS } from '../generate/organization.js'
import { temporaryFolder } from './ending.js'

/** @typedef {import('../generate/shape.js').Size} Size */
/** @typedef {{ data: string, landmarks: import('../generate/write.js').Landmarks }} Organization */

/** What the figures of reads and writes are measured in. @type {Size} */
export const LARGE = { users: 10_000, channels: 500, messages: 2_000_000, longTopic: 100_000, seed: 1 }
/** What they are compared with: the same people with a hundredth of the messages. @type {Size} */
export const SMALL = { ...LARGE, messages: 20_000, longTopic: 0 }

/** By size. @type {Map<string, Promise<Organization>>} */
const made = new Map()

/**
 * An organization of this size on a data directory that no product runs on.
 * @param {Size} size
 */
export function organizationOf(size) {
  const key = JSON.stringify(size)
  const known = made.get(key) ?? generated(size)
  made.set(key, known)
  return known
}

/** @param {Size} size @returns {Promise<Organization>} */
async function generated(size) {
  const data = await directoryOf(Object.values(size).join('-'), LANDMARKS, async (directory) =>
    generate(directory, size),
  )
  return { data, landmarks: JSON.parse(readFileSync(join(data, LANDMARKS), 'utf8')) }
}

/**
 * A data directory of generated data. `PARLEY_BENCH_DATA` names a directory where they are kept between runs.
 * @param {string} name
 * @param {string} last the file that is written last
 * @param {(data: string) => Promise<unknown>} make
 */
export async function directoryOf(name, last, make) {
  const kept = process.env['PARLEY_BENCH_DATA']
  const data = kept === undefined ? temporaryFolder() : join(kept, name)
  if (existsSync(join(data, last))) return data
  rmSync(data, { recursive: true, force: true })
  await make(data)
  return data
}

/**
 * Reads the files of a database that does not run, so that the operating system has them in memory, as where they are in
 * use. Machines that share their memory give it away when they rest, and it would be the disk that is measured.
 * @param {Organization} organization
 */
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
