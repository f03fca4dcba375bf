import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'

/** Copies the package without symbolic links. */
export async function copyPackage(from: string, to: string): Promise<void> {
  const links = await symlinksOf(from)
  await cp(from, to, { recursive: true, filter: (path) => !path.endsWith('.a') && !links.includes(path) })
}

export async function symlinksOf(installed: string): Promise<string[]> {
  const text = await readFile(join(installed, 'native/pg-symlinks.json'), 'utf8')
  const links = z.array(z.object({ target: z.string() })).parse(JSON.parse(text))
  return links.map(({ target }) => join(installed, target))
}
