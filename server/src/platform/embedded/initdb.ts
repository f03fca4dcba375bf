import { execFile } from 'node:child_process'
import { chown, mkdir, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { messageOf } from '../../kernel/phrases.ts'
import type { SystemAccount } from './account.ts'
import { POSTGRES_ENVIRONMENT, pathFromInside } from './server.ts'

/** initdb's error for a user ID without a name. It is in English because of POSTGRES_ENVIRONMENT. */
const NO_NAME_MESSAGE = 'could not look up effective user ID'
const NAMING_LIBRARY = 'libnss_wrapper.so'

/** Runs initdb, which needs a name for the account. Containers often run under user IDs without a name. */
export async function runInitdb(binaries: string, draft: string, account: SystemAccount | undefined): Promise<void> {
  try {
    await initdb(binaries, draft, account)
  } catch (error) {
    if (!isMissingAccountName(error)) throw error
    await initdbWithName(binaries, draft, account)
  }
}

async function initdb(
  binaries: string,
  draft: string,
  account: SystemAccount | undefined,
  names: Record<string, string> = {},
): Promise<void> {
  const making = promisify(execFile)(
    `${binaries}/bin/initdb`,
    [
      `--pgdata=${pathFromInside(draft, account)}`,
      // Directory permissions protect the socket; `peer` would require the OS and database user names to match.
      '--username=parley',
      '--auth-local=trust',
      '--auth-host=reject',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--data-checksums',
      '--no-instructions',
      // A single sync is as durable as 1,000 fsyncs, which take seconds on a busy disk.
      ...(process.platform === 'linux' ? ['--sync-method=syncfs'] : []),
    ],
    { ...account, cwd: draft, env: { ...POSTGRES_ENVIRONMENT, ...names } },
  )
  try {
    await making
  } catch (error) {
    throw new Error(`PostgreSQL cannot create its data in ${draft}: ${initdbFailureReason(error)}`, { cause: error })
  }
}

function initdbFailureReason(error: unknown): string {
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : ''
  const reasons = [...said.matchAll(/\b(?:error|FATAL|PANIC):\s*(.+)/g)].flatMap(([, reason]) => reason ?? [])
  return reasons.length > 0 ? reasons.join('; ') : said.trim() || messageOf(error)
}

async function initdbWithName(binaries: string, draft: string, account: SystemAccount | undefined): Promise<void> {
  const uid = account?.uid ?? process.geteuid?.() ?? 0
  const gid = account?.gid ?? process.getegid?.() ?? 0
  const lists = `${draft}-names`
  await mkdir(lists, { mode: 0o700 })
  try {
    await writeFile(`${lists}/passwd`, `parley:x:${uid}:${gid}::/:/bin/false\n`)
    await writeFile(`${lists}/group`, `parley:x:${gid}:\n`)
    for (const path of account ? ['passwd', 'group', '.'] : []) await chown(join(lists, path), uid, gid)
    const seen = `${pathFromInside(draft, account)}/../${basename(lists)}`
    await initdb(binaries, draft, account, {
      LD_PRELOAD: NAMING_LIBRARY,
      NSS_WRAPPER_PASSWD: `${seen}/passwd`,
      NSS_WRAPPER_GROUP: `${seen}/group`,
    })
  } catch (error) {
    if (!isMissingAccountName(error)) throw error
    throw new Error(
      `The user ID ${uid} has no name in /etc/passwd, which PostgreSQL needs to create its data. ` +
        'Install libnss-wrapper (a package of Debian and Ubuntu), or run Parley as a user with a name.',
      { cause: error },
    )
  } finally {
    await rm(lists, { recursive: true, force: true })
  }
}

const isMissingAccountName = (error: unknown): boolean =>
  error instanceof Error && error.message.includes(NO_NAME_MESSAGE)
