import { chmodSync, constants, existsSync, statSync } from 'node:fs'
import { access, chown, lchown, readdir, readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { makeFolder, findFolderObstacle } from '../folders.ts'

export interface SystemAccount {
  readonly uid: number
  readonly gid: number
}

const PREFERRED_ACCOUNTS = ['postgres', 'nobody']
const FALLBACK_ACCOUNT: SystemAccount = { uid: 65534, gid: 65534 }

const DATA_SUBFOLDERS = ['postgres', 'files']

export async function refuseForeignData(dataDirectory: string): Promise<void> {
  const obstacle = await findFolderObstacle(dataDirectory)
  if (obstacle !== undefined)
    throw new Error(
      `The data folder ${resolve(dataDirectory)} ${obstacle}. Choose another folder with PARLEY_DATA_DIR.`,
    )
  const folder = await stat(dataDirectory).catch(() => undefined)
  try {
    await access(dataDirectory, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT') return
    if (code !== 'EACCES' && code !== 'EPERM') throw error
    const whose =
      folder === undefined ? 'is in a folder that this user cannot open' : `belongs to user ID ${folder.uid}`
    throw new Error(
      `The data folder ${resolve(dataDirectory)} ${whose}, and this user cannot use it. Start Parley as the user who created it or as root, or choose another folder with PARLEY_DATA_DIR.`,
      { cause: error },
    )
  }
  for (const part of DATA_SUBFOLDERS) {
    const reason = await findFolderObstacle(join(dataDirectory, part))
    if (reason === undefined) continue
    throw new Error(
      `${resolve(dataDirectory, part)} ${reason}, but Parley needs a folder there. Move it elsewhere, or restore the folder.`,
    )
  }
}

/** Returns the account under which root starts PostgreSQL: the folder's owner, unless the owner is root, too. */
export async function prepareHome(home: string): Promise<SystemAccount | undefined> {
  if (!existsSync(home)) await makeFolder(home)
  const owner = statSync(home)
  const me = process.geteuid?.()
  if (me !== 0 && me !== owner.uid) {
    throw new Error(`${home} belongs to user ID ${owner.uid}: start Parley as that user or as root`)
  }
  chmodSync(home, 0o700)
  if (me !== 0) return undefined
  if (owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const account = await unprivilegedAccount()
  try {
    await chownTree(home, account)
  } catch (error) {
    throw new Error(
      `PostgreSQL cannot run as root, and root could not give ${home} to user ID ${account.uid}. ` +
        'Start Parley as an ordinary user, or set DATABASE_URL to a PostgreSQL 15 or later.',
      { cause: error },
    )
  }
  return account
}

export async function copyOwner(path: string, other: string): Promise<void> {
  if (process.geteuid?.() !== 0) return
  const { uid, gid } = await stat(other)
  await chown(path, uid, gid)
}

async function unprivilegedAccount(): Promise<SystemAccount> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '')
  for (const name of PREFERRED_ACCOUNTS) {
    const [, uid, gid] = new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm').exec(passwd) ?? []
    if (uid && gid && uid !== '0') return { uid: Number(uid), gid: Number(gid) }
  }
  return FALLBACK_ACCOUNT
}

/** Changes the top folder's owner last: as long as root owns that folder, the next start resumes the change. */
async function chownTree(home: string, { uid, gid }: SystemAccount): Promise<void> {
  for (const entry of await readdir(home, { recursive: true })) await lchown(join(home, entry), uid, gid)
  await lchown(home, uid, gid)
}
