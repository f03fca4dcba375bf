import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const BUILD_TIMEOUT_MILLISECONDS = 300_000
/** Age of the commit that stands in for the previous release if no release is tagged. */
const DAY_SECONDS = 86_400

export interface EarlierBuild {
  /** Root of the cloned repository. */
  readonly root: string
  readonly commit: string
  /** The tag, or the hash with the reason for selecting the commit. */
  readonly description: string
  remove(): Promise<void>
}

/**
 * Builds the last tagged release or, without tags, a commit that is a day old. Needs the Git history.
 * @returns undefined, with a message, if there is no history, as in a package or shallow clone
 */
export async function buildEarlierRelease(): Promise<EarlierBuild | undefined> {
  const found = await findEarlierRelease()
  if (found === undefined) return undefined
  const { commit, description } = found
  const root = await mkdtemp(join(tmpdir(), 'parley-earlier-'))
  const remove = async (): Promise<void> => rm(root, { recursive: true, force: true })
  try {
    await run('git', ['clone', '--quiet', '--shared', '--no-checkout', ROOT, root])
    await run('git', ['-C', root, '-c', 'advice.detachedHead=false', 'checkout', '--quiet', commit])
    const locks = await Promise.all([ROOT, root].map(async (folder) => readFile(join(folder, 'package-lock.json'))))
    // Identical packages need no download. Hard links are safe, because npm never modifies a file in place.
    if (locks.every((lock) => lock.equals(locks[0] ?? lock)) && process.platform === 'linux') {
      await run('cp', ['-al', join(ROOT, 'node_modules'), join(root, 'node_modules')]).catch(() => undefined)
    }
    // Installs missing packages, and builds.
    await run(process.execPath, [join(root, 'bin/parley.js'), '--version'])
  } catch (error) {
    await remove()
    throw error
  }
  return { root, commit, description, remove }
}

async function findEarlierRelease(): Promise<Pick<EarlierBuild, 'commit' | 'description'> | undefined> {
  if (!existsSync(join(ROOT, '.git'))) {
    process.stdout.write('Skipped the previous release: it is built from the Git history, and this is not a clone.\n')
    return undefined
  }
  const git = async (...args: readonly string[]): Promise<string> => run('git', ['-C', ROOT, ...args])
  const tag = await git('describe', '--tags', '--abbrev=0', 'HEAD^').catch(() => '')
  if (tag !== '') return { commit: await git('rev-list', '-1', tag), description: tag }
  const now = Number(await git('log', '-1', '--format=%ct'))
  const commit = await git('rev-list', '-1', `--before=${now - DAY_SECONDS}`, 'HEAD')
  if (commit === '') {
    process.stdout.write('The release before is not tried: nothing in the history of git is a day old.\n')
    return undefined
  }
  return { commit, description: `${commit.slice(0, 8)}, a day before, as nothing is tagged` }
}

async function run(program: string, args: readonly string[]): Promise<string> {
  // Excludes variables set by Vitest, such as NODE_ENV.
  const { PATH = '', HOME = '', NODE_EXTRA_CA_CERTS } = process.env
  const env = { PATH, HOME, ...(NODE_EXTRA_CA_CERTS === undefined ? {} : { NODE_EXTRA_CA_CERTS }) }
  const { stdout } = await promisify(execFile)(program, args, { env, timeout: BUILD_TIMEOUT_MILLISECONDS })
  return stdout.trim()
}
