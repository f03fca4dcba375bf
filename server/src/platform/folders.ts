import { lstat, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** What lies in a folder of ours is for the account alone that made it. */
export const FOLDER_MODE = 0o700

/** Why a path is no folder, and cannot become one, as the end of a sentence; undefined where it is one, or nothing is there. */
export async function obstacleAt(path: string): Promise<string | undefined> {
  try {
    return (await stat(path)).isDirectory() ? undefined : 'is a file'
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOTDIR') return 'would lie in a file'
    if (code === 'ELOOP') return 'is a link that leads to itself'
    // What is missing behind a link may be a disk.
    return code === 'ENOENT' && (await isThere(path)) ? 'is a link that leads nowhere' : undefined
  }
}

/** Whether something has this name, be it a link that leads nowhere. */
export async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}

/**
 * Makes a folder, with those above it that are missing. Node's own way hides why it cannot: of a disk that is read only it says that
 * there is no such file, and below /proc it never ends.
 * @returns the highest of the folders that were made; undefined where it was there
 */
export async function makeFolder(path: string, mode = FOLDER_MODE): Promise<string | undefined> {
  return make(path, mode, false)
}

/** @param isAboveMade whether what is above it was made for it just now */
async function make(path: string, mode: number, isAboveMade: boolean): Promise<string | undefined> {
  try {
    await mkdir(path, { mode })
    return path
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return undefined
    if (code !== 'ENOENT' || isAboveMade || dirname(path) === path) throw error
    const above = await make(dirname(path), mode, false)
    const made = await make(path, mode, true)
    return above ?? made
  }
}
