import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** On Debian, the PATH of other accounts lacks these folders. */
const FOLDERS_OF_ADMINISTRATORS = ['/usr/sbin', '/usr/local/sbin']

/**
 * Finds a system program that tests or benchmarks start.
 * @param {string} name
 * @returns {string | undefined} undefined if it is not installed
 */
export function installedProgram(name) {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...FOLDERS_OF_ADMINISTRATORS]
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}
