import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Debian has some servers where administrators look alone. */
const FOLDERS_OF_ADMINISTRATORS = ['/usr/sbin', '/usr/local/sbin']

/**
 * Where a program of the system is that tests or figures start.
 * @param {string} name
 * @returns {string | undefined} undefined where it is not installed
 */
export function installedProgram(name) {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...FOLDERS_OF_ADMINISTRATORS]
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}
