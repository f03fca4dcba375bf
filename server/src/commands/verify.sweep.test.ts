import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import type { Manifest } from '../platform/backup/manifest.ts'
import { backupOfDamaged, newBackup, rewriteManifest, verifyBackup } from '../testing/backups.ts'
import { Random } from '../testing/random.ts'
import { useTestServer } from '../testing/server.ts'

// Each complete check creates a database.
vi.setConfig({ testTimeout: 240_000 })

const server = useTestServer()

it('detects a flipped bit at any position in every kind of file', async () => {
  const { folder } = await newBackup(server())
  const random = new Random(1)
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = names.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const uploaded = files.find((path) => path.includes('/data/files/uploads/')) ?? ''
  const kinds = ['manifest.json', 'manifest.json.sha256', 'SHA256SUMS', 'data/token-key', 'database/messages.copy.gz']
  for (const path of [...kinds.map((kind) => join(folder, kind)), uploaded]) {
    const whole = await readFile(path)
    for (const at of [0, whole.length - 1, ...[1, 2, 3].map(() => Math.floor(random.between(0, whole.length - 1)))]) {
      const bit = 1 << Math.floor(random.between(0, 7))
      await writeFile(path, whole.with(at, (whole[at] ?? 0) ^ bit))
      const { code, stderr } = await verifyBackup(folder)
      expect({ path, at, code }).toEqual({ path, at, code: 3 })
      expect(stderr).toContain('is damaged')
    }
    await writeFile(path, whole)
  }
  expect(await verifyBackup(folder)).toMatchObject({ code: 0 })
})

it('detects rows that violate a foreign key', async () => {
  const folder = await backupOfDamaged(server(), 'delete from users')
  const { code, stderr } = await verifyBackup(folder)
  expect([code, stderr]).toEqual([3, expect.stringContaining('foreign key constraint')])
})

it('detects each error in a manifest', async () => {
  const { folder } = await newBackup(server())
  const whole = await readFile(join(folder, 'manifest.json'), 'utf8')
  const lies: [(manifest: Manifest) => object, string][] = [
    [
      ({ tables, ...rest }) => ({ ...rest, tables: tables.map((table) => ({ ...table, rows: table.rows + 1 })) }),
      'but the manifest says',
    ],
    [
      ({ organizations, ...rest }) => ({
        ...rest,
        organizations: organizations.map((organization) => ({ ...organization, position: 1 })),
      }),
      'but manifest.json says 1.',
    ],
    [(manifest) => ({ ...manifest, files: manifest.files + 1 }), 'files, but manifest.json says'],
    [({ tables, ...rest }) => ({ ...rest, tables: tables.filter(({ name }) => name !== 'messages') }), 'messages'],
  ]
  for (const [lie, fault] of lies) {
    await writeFile(join(folder, 'manifest.json'), whole)
    await rewriteManifest(folder, lie)
    const { code, stderr } = await verifyBackup(folder)
    expect([code, stderr]).toEqual([3, expect.stringContaining(fault)])
  }
})
