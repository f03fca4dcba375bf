import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runHere, type Outcome } from '../testing/command-line.ts'
import { lockDataDirectory } from '../platform/embedded/index.ts'
import { olderMajorVersions } from '../platform/upgrading/older.ts'
import { textWith } from '../testing/expected.ts'

let data = ''
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'parley-test-'))
})
afterEach(async () => rm(data, { recursive: true, force: true }))

const runUpgrade = async (environment: Record<string, string> = {}): Promise<Outcome> =>
  runHere(['upgrade-database'], { PARLEY_DATA_DIR: data, ...environment })

async function makeCluster(version: string): Promise<void> {
  await mkdir(join(data, 'postgres/data'), { recursive: true })
  await writeFile(join(data, 'postgres/data/PG_VERSION'), version)
}

it('refuses to upgrade an external PostgreSQL', async () => {
  await makeCluster('17\n')
  const { code, stdout, stderr } = await runUpgrade({ DATABASE_URL: 'postgres://parley@db.example.org/parley' })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('Upgrade it with its own tools: see docs/operating/upgrading.md.')
})

it.each([
  ['9.6\n', /made by PostgreSQL 9, but this version of Parley upgrades only PostgreSQL \d+\./],
  ['12\n', /made by PostgreSQL 12, but this version of Parley upgrades only PostgreSQL \d+\./],
  [
    '99\n',
    /made by PostgreSQL 99, but this version of Parley includes PostgreSQL \d+\. Use a newer version of Parley\./,
  ],
  ['nonsense', /made by an unknown PostgreSQL, /],
  ['', /made by an unknown PostgreSQL, /],
])('rejects data of PostgreSQL version %j and changes nothing', async (version, complaint) => {
  await makeCluster(version)
  const { code, stdout, stderr } = await runUpgrade()
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(complaint)
  expect(await readdir(join(data, 'postgres'))).toEqual(['data'])
  expect(await readFile(join(data, 'postgres/data/PG_VERSION'), 'utf8')).toBe(version)
})

it('refuses to upgrade a missing database, a partly restored database, and a locked directory', async () => {
  expect(await runUpgrade()).toMatchObject({
    code: 1,
    stderr: textWith('No database in'),
  })
  await makeCluster(`${olderMajorVersions().at(-1) ?? 0}\n`)
  await writeFile(join(data, 'restoring'), '')
  expect(await runUpgrade()).toMatchObject({
    code: 1,
    stderr: textWith('A backup is being restored into'),
  })
  await rm(join(data, 'restoring'))
  const lock = await lockDataDirectory(data)
  const { code, stderr } = await runUpgrade()
  await lock.release()
  expect([code, stderr]).toEqual([1, expect.stringContaining(`${data}. Stop it first.`)])
  expect(await readdir(join(data, 'postgres'))).toEqual(['data'])
})
