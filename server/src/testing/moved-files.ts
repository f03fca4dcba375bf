import { hash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished } from 'vitest'
import { readConfig } from '../config.ts'
import { fileStore } from '../server-from-config.ts'
import { runHere, type Environment } from './command-line.ts'
import { parseObject } from './json.ts'
import type { Body } from './user.ts'

/** Exceeds the size of one part of a multipart upload. */
const LARGE_BYTES = 9_000_000

export async function createFolder(count: number): Promise<string> {
  const data = await mkdtemp(join(tmpdir(), 'parley-move-'))
  onTestFinished(async () => rm(data, { recursive: true, force: true }))
  for (let index = 0; index < count; index += 1) {
    const path = join(data, 'files', `uploads/${1 + (index % 3)}/ab/file-${String(index).padStart(3, '0')}`)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, randomBytes(index === 0 ? 0 : index === 1 ? LARGE_BYTES : 1_000 + index))
  }
  return data
}

export async function readSums(environment: Environment): Promise<Record<string, string>> {
  const store = fileStore(readConfig(environment))
  const sums: Record<string, string> = {}
  for await (const { key } of store.list()) {
    sums[key] = hash('sha256', await buffer(store.read(key)))
  }
  store.close()
  return sums
}

export async function moveFiles(args: readonly string[], environment: Environment): Promise<Body> {
  const { code, stdout, stderr } = await runHere(['files', 'move', ...args, '--json'], environment)
  expect([code, stderr.replace('Copying files ...\n', '')]).toEqual([0, ''])
  return parseObject(stdout)
}
