import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Debian omits these from the PATH of ordinary accounts. */
const FOLDERS_OF_ADMINISTRATORS = ['/usr/sbin', '/usr/local/sbin']

/** Finds a system program, if installed. @param {string} name @returns {string | undefined} */
export function installedProgram(name) {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...FOLDERS_OF_ADMINISTRATORS]
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}
