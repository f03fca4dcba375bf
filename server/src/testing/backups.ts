import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, onTestFinished } from 'vitest'
import { sha256Hex, type Manifest } from '../platform/backup/manifest.ts'
import { runHere, type Environment, type Outcome } from './command-line.ts'
import { askDatabase, databaseUrl, type TestDatabase } from './databases.ts'
import { upload } from './files.ts'
import type { TestServer } from './server.ts'

export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-test-'))
  onTestFinished(async () => rm(folder, { recursive: true, force: true }))
  return folder
}

export function environmentOf({ database }: Pick<TestServer, 'database'>): Environment & { PARLEY_DATA_DIR: string } {
  return { DATABASE_URL: databaseUrl(database), PARLEY_DATA_DIR: join(tmpdir(), `parley-${database.database ?? ''}`) }
}

/** Creates a database whose owner has no other privileges. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const name = `restored_${randomUUID().replaceAll('-', '')}`
  const admin = inject('postgres')
  await askDatabase(admin, `create role ${name} login`, `create database ${name} owner ${name}`)
  onTestFinished(async () => {
    await askDatabase(admin, `drop database ${name} with (force)`, `drop role ${name}`)
  })
  return { ...admin, user: name, database: name }
}

export async function newBackup(server: TestServer): Promise<{ folder: string; parent: string }> {
  const { owner } = await server.organization()
  await owner.sendTo([owner.id], `Keep this ${randomUUID()}`)
  await upload(owner, 'kept.txt', 'of the file')
  await writeFile(join(environmentOf(server).PARLEY_DATA_DIR, 'token-key'), Buffer.alloc(32, 7))
  const parent = await newFolder()
  const folder = join(parent, 'backup')
  expect(await runHere(['backup', folder], environmentOf(server))).toMatchObject({ code: 0 })
  return { folder, parent }
}

export async function backupOfDamaged(server: TestServer, damage: string, more: Environment = {}): Promise<string> {
  const { folder, parent } = await newBackup(server)
  const database = await createEmptyDatabase()
  const environment = { DATABASE_URL: databaseUrl(database), PARLEY_DATA_DIR: join(parent, 'data') }
  expect(await runHere(['restore', folder], environment)).toMatchObject({ code: 0 })
  // Only a broken disk or manual changes can cause this damage.
  await askDatabase(
    { ...inject('postgres'), database: database.database },
    `set session_replication_role = replica; ${damage}`,
  )
  const damaged = join(parent, 'damaged')
  expect(await runHere(['backup', damaged], { ...environment, ...more })).toMatchObject({ code: 0 })
  return damaged
}

export const verifyBackup = async (folder: string, ...options: string[]): Promise<Outcome> =>
  runHere(['verify', folder, ...options], {})

export async function rewriteManifest(folder: string, change: (manifest: Manifest) => object): Promise<void> {
  const path = join(folder, 'manifest.json')
  const text = JSON.stringify(change(JSON.parse(await readFile(path, 'utf8')) as Manifest))
  await writeFile(path, text)
  await writeFile(`${path}.sha256`, `${sha256Hex(text)}  manifest.json\n`)
}
