import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { copyPackage, symlinksOf } from '../../testing/postgres-package.ts'
import { installedPackage, runnableBinaries } from './binaries.ts'

const IS_ROOT = process.geteuid?.() === 0
const NOBODY = { uid: 65534, gid: 65534 }

vi.setConfig({ testTimeout: 60_000 })

let scratch: string

beforeAll(async () => {
  scratch = await realpath(await mkdtemp(join(tmpdir(), 'parley-binaries-')))
})
afterAll(() => rm(scratch, { recursive: true, force: true }))

describe('PostgreSQL binaries', () => {
  it('creates missing links in the PostgreSQL package, even for two concurrent callers', async () => {
    const installed = installedPackage()
    await copyPackage(dirname(installed.native), join(scratch, 'package'))
    const native = join(scratch, 'package/native')
    const copy = join(scratch, 'copy')
    const links = await symlinksOf(dirname(native))
    expect(links.filter(existsSync)).toEqual([])
    const twice = () =>
      Promise.all([runnableBinaries(native, copy, undefined), runnableBinaries(native, copy, undefined)])
    expect(await twice()).toEqual([native, native])
    expect(await twice()).toEqual([native, native])
    expect(links.filter(existsSync)).toEqual(links)
  })

  it('copies binaries that cannot run in place, even for two concurrent callers', async () => {
    const open = await mkdtemp(join(tmpdir(), 'parley-open-'))
    await chmod(open, 0o755)
    const native = join(scratch, 'package/native')
    for (const link of await symlinksOf(dirname(native))) await rm(link)
    // Root can write everywhere, so when the tests run as root, the other account is the one without access.
    await chmod(join(native, 'lib'), 0o500)
    const account = IS_ROOT ? NOBODY : undefined
    const copy = join(open, 'copies/postgres')
    const twice = () => Promise.all([runnableBinaries(native, copy, account), runnableBinaries(native, copy, account)])
    try {
      expect(await twice()).toEqual([copy, copy])
      const { ino } = await stat(copy)
      expect(await twice()).toEqual([copy, copy])
      expect((await stat(copy)).ino).toBe(ino)
      expect(await readdir(dirname(copy))).toEqual(['postgres'])
      await rm(join(copy, 'lib'), { recursive: true })
      expect(await runnableBinaries(native, copy, account)).toBe(copy)
    } finally {
      await chmod(join(native, 'lib'), 0o700)
      await rm(open, { recursive: true, force: true })
    }
  })

  it('explains the reason if no folder permits running the PostgreSQL binaries', async () => {
    const native = join(scratch, 'package/native')
    await chmod(join(native, 'bin/initdb'), 0o644)
    await expect(runnableBinaries(native, join(scratch, 'copy'), undefined)).rejects.toThrow(/EACCES.*DATABASE_URL/s)
  })

  it('rejects a system without the GNU C library', async () => {
    const native = join(scratch, 'musl')
    await mkdir(join(native, 'bin'), { recursive: true })
    // The kernel reports a missing interpreter like a missing program loader.
    await writeFile(join(native, 'bin/postgres'), '#!/lib/ld-absent.so.1\n', { mode: 0o755 })
    await expect(runnableBinaries(native, join(scratch, 'copy'), undefined)).rejects.toThrow(/GNU C.*DATABASE_URL/)
  })

  it('rejects a platform without PostgreSQL binaries', async () => {
    expect(() => installedPackage('sunos-sparc')).toThrow('DATABASE_URL')
  })
})
