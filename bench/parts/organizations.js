/*
 * Generated organizations, each made once in a run and shared by the figures that ask for the same.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
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

/** Takes away what was made in this run. */
export function removeOrganizations() {
  for (const data of directories) rmSync(data, { recursive: true, force: true })
}
