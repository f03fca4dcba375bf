import { lstat, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

export const FOLDER_MODE = 0o700

/** Returns why a path cannot be a folder, as the end of a sentence; undefined if it is a folder or absent. */
export async function findFolderObstacle(path: string): Promise<string | undefined> {
  try {
    return (await stat(path)).isDirectory() ? undefined : 'is a file'
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOTDIR') return 'would be inside a file'
    if (code === 'ELOOP') return 'is a link that leads to itself'
    // The missing target of a link can be an unmounted disk.
    return code === 'ENOENT' && (await pathExists(path)) ? 'is a link that leads nowhere' : undefined
  }
}

export async function pathExists(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}

/** Creates a folder and its parents; returns the topmost new one. Node's `recursive` hides errors or hangs in /proc. */
export async function makeFolder(path: string, mode = FOLDER_MODE): Promise<string | undefined> {
  return makeFolders(path, mode, false)
}

/** `isAboveMade` tells whether the parent was just created. */
async function makeFolders(path: string, mode: number, isAboveMade: boolean): Promise<string | undefined> {
  try {
    await mkdir(path, { mode })
    return path
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return undefined
    if (code !== 'ENOENT' || isAboveMade || dirname(path) === path) throw error
    const above = await makeFolders(dirname(path), mode, false)
    const made = await makeFolders(path, mode, true)
    return above ?? made
  }
}
