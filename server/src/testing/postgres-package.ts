import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Copies the package without symbolic links. */
export async function copyPackage(from: string, to: string): Promise<void> {
  const links = await symlinksOf(from)
  await cp(from, to, { recursive: true, filter: (path) => !path.endsWith('.a') && !links.includes(path) })
}

export async function symlinksOf(installed: string): Promise<string[]> {
  // Safe: the package's own format.
  const links = JSON.parse(await readFile(join(installed, 'native/pg-symlinks.json'), 'utf8')) as { target: string }[]
  return links.map(({ target }) => join(installed, target))
}
