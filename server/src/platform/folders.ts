import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** What lies in a folder of ours is for the account alone that made it. */
export const FOLDER_MODE = 0o700

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
