import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Copies an installed package of PostgreSQL without its symbolic links. */
export async function copyPackage(from: string, to: string): Promise<void> {
  const links = await symlinksOf(from)
  await cp(from, to, { recursive: true, filter: (path) => !path.endsWith('.a') && !links.includes(path) })
}

export async function symlinksOf(installed: string): Promise<string[]> {
  // The format of the package's own file.
  const links = JSON.parse(await readFile(join(installed, 'native/pg-symlinks.json'), 'utf8')) as { target: string }[]
  return links.map(({ target }) => join(installed, target))
}
