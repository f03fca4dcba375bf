import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { filesBelow } from './folder.ts'

it('lists files behind symbolic links and skips broken links', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-test-'))
  onTestFinished(async () => rm(folder, { recursive: true, force: true }))
  for (const name of ['data/files', 'disk']) await mkdir(join(folder, name), { recursive: true })
  for (const name of ['data/files/own', 'disk/one']) await writeFile(join(folder, name), name)
  await symlink(join(folder, 'disk'), join(folder, 'data/files/linked'))
  await symlink(join(folder, 'disk/one'), join(folder, 'data/note'))
  await symlink(join(folder, 'gone'), join(folder, 'data/broken'))
  const found: string[] = []
  for await (const { path, size } of filesBelow(join(folder, 'data'))) found.push(`${path} ${size}`)
  expect(found).toEqual(['files/linked/one 8', 'files/own 14', 'note 8'])
})
