import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { expect, it } from 'vitest'
import { backupOfDamaged, newBackup, newFolder, rewriteManifest, verifyBackup } from '../testing/backups.ts'
import { textWith } from '../testing/expected.ts'
import { useTestServer } from '../testing/server.ts'

const server = useTestServer()

it('detects a wrong byte, a truncated file, a missing file, and an extra file', async () => {
  const { folder } = await newBackup(server())
  for (const name of [
    'manifest.json',
    'manifest.json.sha256',
    'SHA256SUMS',
    'data/token-key',
    'database/messages.copy.gz',
  ]) {
    const path = join(folder, name)
    const whole = await readFile(path)
    const middle = Math.floor(whole.length / 2)
    const broken = whole.with(middle, (whole[middle] ?? 0) ^ 1)
    for (const damaged of [broken, whole.subarray(0, -1), undefined]) {
      if (damaged === undefined) await rm(path)
      else await writeFile(path, damaged)
      const { code, stderr } = await verifyBackup(folder)
      expect([name, code, stderr]).toEqual([name, 3, expect.stringContaining('is damaged')])
    }
    await writeFile(path, whole)
  }
  expect(await verifyBackup(folder, '--files-only')).toMatchObject({ code: 0 })
  await writeFile(join(folder, 'data/other'), '')
  expect((await verifyBackup(folder)).stderr).toContain('data/other does not belong to the backup.')
})

it('rejects a folder that is not a backup or does not exist', async () => {
  const { folder, parent } = await newBackup(server())
  await cp(join(folder, 'database'), join(parent, 'no-backup'), { recursive: true })
  expect(await verifyBackup(relative('.', join(parent, 'no-backup')))).toMatchObject({
    code: 3,
    stderr: textWith(`${join(parent, 'no-backup')} is not a complete backup`),
  })
  const nowhere = join(parent, 'nowhere')
  // A relative path is printed as an absolute one.
  expect(await verifyBackup(relative('.', nowhere))).toEqual({
    code: 1,
    stdout: '',
    stderr: `parley: The folder ${nowhere} does not exist.\n`,
  })
  const file = join(folder, 'manifest.json')
  expect(await verifyBackup(relative('.', file))).toMatchObject({
    code: 1,
    stderr: `parley: ${file} is not a folder.\n`,
  })
})

it('detects rows and files that contradict each other or the manifest', async () => {
  const folder = await backupOfDamaged(server(), 'update messages set id = id + 1e15::bigint', {
    PARLEY_DATA_DIR: await newFolder(),
  })
  await rewriteManifest(folder, ({ organizations, ...rest }) => ({
    ...rest,
    organizations: organizations.map((organization) => ({ ...organization, position: 1 })),
  }))
  const { code, stderr } = await verifyBackup(folder)
  expect(code).toBe(3)
  expect(stderr).toContain('but manifest.json says 1.')
  expect(stderr).toMatch(/messages are beyond the position of their organization/)
  expect(stderr).toMatch(/None of the \d+ files .* Was PARLEY_DATA_DIR correct\?/)
  const others = /^ {2}(?!The organization |\d+ messages are beyond|None of the).*$/gm
  expect(stderr.match(others)).toBe(null)
})

it('detects that the manifest counts more files than the backup contains', async () => {
  const { folder } = await newBackup(server())
  await rewriteManifest(folder, (manifest) => ({ ...manifest, files: manifest.files + 1 }))
  const { code, stderr } = await verifyBackup(folder)
  expect([code, stderr]).toEqual([3, expect.stringContaining('files, but manifest.json says')])
})
