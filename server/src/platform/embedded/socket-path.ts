import { constants } from 'node:fs'
import { mkdtemp, open, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Size of the path in sockaddr_un, without the final zero byte. */
const MAX_SOCKET_PATH_BYTES = process.platform === 'linux' ? 107 : 103

export interface SocketDirectory {
  readonly path: string
  readonly shortened: boolean
  release(): Promise<void>
}

/** Returns a short path to the sockets, on Linux through a descriptor: a link in /tmp would be cleaned up. */
export async function socketDirectory(directory: string, socketName: string): Promise<SocketDirectory> {
  if (Buffer.byteLength(join(directory, socketName)) <= MAX_SOCKET_PATH_BYTES) {
    return { path: directory, shortened: false, release: async () => {} }
  }
  if (process.platform === 'linux') {
    const handle = await open(directory, constants.O_DIRECTORY)
    return { path: `/proc/self/fd/${handle.fd}`, shortened: true, release: () => handle.close() }
  }
  const home = await mkdtemp(join(tmpdir(), 'parley-'))
  await symlink(directory, join(home, 'd'))
  return { path: join(home, 'd'), shortened: true, release: () => rm(home, { recursive: true, force: true }) }
}
