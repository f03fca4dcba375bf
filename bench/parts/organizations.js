/*
 * Generated organizations, each made once in a run and shared by the figures that ask for the same.
 */
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate, LANDMARKS } from '../generate/organization.js'

/** @typedef {import('../generate/shape.js').Size} Size */
/** @typedef {{ data: string, landmarks: import('../generate/write.js').Landmarks }} Organization */

/** What the figures of reads and writes are measured in. @type {Size} */
export const LARGE = { users: 10_000, channels: 500, messages: 2_000_000, longTopic: 100_000, seed: 1 }
/** What they are compared with: the same people with a hundredth of the messages. @type {Size} */
export const SMALL = { ...LARGE, messages: 20_000, longTopic: 0 }

/** By size. @type {Map<string, Promise<Organization>>} */
const made = new Map()
/** @type {string[]} */
const directories = []

/**
 * An organization of this size on a data directory that no product runs on.
 * `PARLEY_BENCH_DATA` names a directory where they are kept between runs.
 * @param {Size} size
 */
export function organizationOf(size) {
  const key = JSON.stringify(size)
  const known = made.get(key) ?? make(size)
  made.set(key, known)
  return known
}

/** @param {Size} size @returns {Promise<Organization>} */
async function make(size) {
  const kept = process.env['PARLEY_BENCH_DATA']
  if (kept !== undefined) {
    const data = join(kept, Object.values(size).join('-'))
    try {
      return { data, landmarks: JSON.parse(readFileSync(join(data, LANDMARKS), 'utf8')) }
    } catch {
      rmSync(data, { recursive: true, force: true })
    }
    return { data, ...(await generate(data, size)) }
  }
  const data = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  directories.push(data)
  return { data, ...(await generate(data, size)) }
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

/** Takes away what was made in this run. */
export function removeOrganizations() {
  for (const data of directories) rmSync(data, { recursive: true, force: true })
}
