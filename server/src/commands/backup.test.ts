import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fileKey } from '../capabilities/uploads/queries.ts'
import { readManifest } from '../platform/backup/manifest.ts'
import { environmentOf, newBackup, newFolder, verifyBackup } from '../testing/backups.ts'
import { runHere } from '../testing/command-line.ts'
import { askDatabase } from '../testing/databases.ts'
import { findingsIn } from '../testing/doctor.ts'
import { textWith } from '../testing/expected.ts'
import { upload } from '../testing/files.ts'
import { parseObject } from '../testing/json.ts'
import { useProgram } from '../testing/program.ts'
import { useTestServer } from '../testing/server.ts'

const server = useTestServer()
const program = useProgram()

async function latestReport(): Promise<unknown> {
  const { stdout } = await runHere(['doctor', '--json'], environmentOf(server()))
  return findingsIn(stdout).find(({ check }) => check === 'backup')
}

it('creates a valid backup via DATABASE_URL even if an upload is missing', async () => {
  const { owner } = await server().organization()
  await upload(owner, 'lost.txt', 'lost')
  const [lost] = await askDatabase(server().database, `select path_id as path from attachments where name = 'lost.txt'`)
  const key = fileKey(String(lost?.['path']))
  const file = join(environmentOf(server()).PARLEY_DATA_DIR, 'files', key)
  const bytes = await readFile(file)
  await rm(file)
  const { folder } = await newBackup(server())
  await writeFile(file, bytes)
  expect(await latestReport()).toMatchObject({ state: 'notice', trouble: 'backup_unverified' })
  const { code, stdout, stderr } = await runHere(['verify', folder, '--json'], environmentOf(server()))
  expect([code, stderr]).toEqual([0, expect.stringContaining(`1 file in the database is missing: data/files/${key}`)])
  const { organizations } = await readManifest(folder)
  expect(JSON.parse(stdout)).toMatchObject({ faults: [], missing_files: 1, organizations })
  const [last] = await askDatabase(server().database, 'select max(position)::float8 as position from organizations')
  expect(Math.max(...organizations.map(({ position }) => position))).toBe(last?.['position'])
  expect(await latestReport()).toMatchObject({ state: 'ok', message: textWith(folder) })
})

it('backs up every table into a folder that only its owner can read', async () => {
  const { folder, parent } = await newBackup(server())
  expect(await readdir(parent)).toEqual(['backup'])
  for (const name of [...(await readdir(folder, { recursive: true })), '.']) {
    const { mode } = await stat(join(folder, name))
    expect([name, mode & 0o077]).toEqual([name, 0])
  }
  const tables = await askDatabase(
    server().database,
    `select count(*)::int as count from pg_tables where schemaname = 'public'`,
  )
  expect(await readdir(join(folder, 'database'))).toHaveLength(Number(tables[0]?.['count']))
})

it('writes checksums that sha256sum can read', async () => {
  const { folder } = await newBackup(server())
  const lines = (await readFile(join(folder, 'SHA256SUMS'), 'utf8')).trimEnd().split('\n')
  const paths = lines.map((line) => /^[\da-f]{64} {2}(\S+)$/.exec(line)?.[1])
  expect(paths).toContain('data/token-key')
  expect(paths).toContain('database/messages.copy.gz')
  expect(paths.toSorted((a = '', b = '') => (a < b ? -1 : 1))).toEqual(paths)
})

it('rejects a target that exists or is inside the data directory', async () => {
  const { folder, parent } = await newBackup(server())
  const environment = environmentOf(server())
  const [file, link] = [join(parent, 'file'), join(parent, 'link')]
  await writeFile(file, 'words')
  await symlink(join(parent, 'nowhere'), link)
  for (const [target, complaint] of [
    [file, 'already exists'],
    [join(file, 'backup'), `${file} is a file: choose a new folder elsewhere.`],
    [link, 'already exists'],
    [join(link, 'backup'), `${link} is a link that leads nowhere: choose a new folder elsewhere.`],
    [folder, 'already exists'],
    [parent, 'already exists'],
    [join(environment.PARLEY_DATA_DIR, 'backup'), 'is in the data folder'],
    [environment.PARLEY_DATA_DIR, 'is in the data folder'],
  ] as const) {
    const { code, stdout, stderr } = await runHere(['backup', target], environment)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(complaint)
  }
  expect(await readdir(parent)).toEqual(['backup', 'file', 'link'])
})

it.runIf(process.platform === 'linux')('reports why a backup folder cannot be created below /proc', async () => {
  const environment = environmentOf(server())
  await mkdir(environment.PARLEY_DATA_DIR, { recursive: true })
  const { code, stdout, stderr } = await runHere(['backup', '/proc/parley/backup'], environment)
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toBe("parley: ENOENT: no such file or directory, mkdir '/proc/parley'\n")
})

it('links unchanged files to the previous backup and copies new files', async () => {
  const { folder, parent } = await newBackup(server())
  const { owner } = await server().organization()
  await upload(owner, 'new.txt', 'new')
  const next = join(parent, 'next')
  const { stdout } = await runHere(['backup', next, '--json'], environmentOf(server()))
  const facts = parseObject(stdout)
  // Two small files, such as the key, can change and are always copied.
  expect(facts['copied_files']).toBe(2)
  expect(facts['linked_files']).toBe(Number(facts['files']) - 2)
  const files = (await readdir(join(folder, 'data/files'), { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  )
  for (const { parentPath, name } of files) {
    const path = join(parentPath, name)
    expect((await stat(path.replace(folder, next))).ino).toBe((await stat(path)).ino)
  }
  // Each backup is complete without the other.
  await rm(folder, { recursive: true })
  expect(await verifyBackup(next, '--files-only')).toMatchObject({ code: 0 })
})

it('leaves nothing behind when a backup is stopped', async () => {
  const parent = await newFolder()
  const { code, stderr } = await runHere(['backup', join(parent, 'backup')], environmentOf(server()), {
    stopped: AbortSignal.abort(),
  })
  expect([code, stderr]).toEqual([1, expect.stringContaining('Stopped. Nothing was left behind.')])
  expect(await readdir(parent)).toEqual([])
})

it('rejects a missing data directory', async () => {
  const parent = await newFolder()
  const absent = { ...environmentOf(server()), PARLEY_DATA_DIR: join(parent, 'absent') }
  expect(await runHere(['backup', join(parent, 'none')], absent)).toMatchObject({
    code: 1,
    stderr: textWith('The data folder'),
  })
})

it('does not accept a backup as complete if the process that wrote it was killed', async () => {
  await newBackup(server())
  const parent = await newFolder()
  const killed = await (
    await program(environmentOf(server()))
  ).interrupt(['backup', join(parent, 'backup')], 'Reading the database', 'SIGKILL')
  expect(killed.code).toBe(null)
  const [name = '', ...others] = await readdir(parent)
  expect([name, others]).toEqual([expect.stringMatching(/^backup\.partial-/), []])
  const { code, stderr } = await verifyBackup(join(parent, name))
  expect([code, stderr]).toEqual([3, expect.stringContaining('Was the backup interrupted?')])
})
