import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { isErrorWithCode } from './command.ts'

/** What decides where organizations are served. */
type Served = Partial<Pick<Config, 'PARLEY_URL' | 'PARLEY_ROOT_DOMAIN'>>

const fileOf = (config: Config): string => join(config.PARLEY_DATA_DIR, 'served.json')

/**
 * Notes where this server is reached, for commands beside it: what its environment says, theirs need not.
 * @returns what takes the note away again
 */
export async function noteServed(config: Config, url: string): Promise<() => Promise<void>> {
  const served: Served = {
    PARLEY_URL: url,
    ...(config.PARLEY_ROOT_DOMAIN === undefined ? {} : { PARLEY_ROOT_DOMAIN: config.PARLEY_ROOT_DOMAIN }),
  }
  await mkdir(config.PARLEY_DATA_DIR, { recursive: true, mode: 0o700 })
  await writeFile(fileOf(config), JSON.stringify(served))
  return async () => rm(fileOf(config), { force: true })
}

/** The settings of the server that runs, or of the one that was cut off last; without one, our own. */
export async function asServed(config: Config): Promise<Config> {
  try {
    // Only noteServed() writes it.
    const served = JSON.parse(await readFile(fileOf(config), 'utf8')) as Served
    return { ...config, PARLEY_ROOT_DOMAIN: undefined, ...served }
  } catch (error) {
    if (error instanceof SyntaxError || isErrorWithCode(error, ['ENOENT'])) return config
    throw error
  }
}
