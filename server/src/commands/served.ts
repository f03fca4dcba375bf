import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { isSameAddress, describeAddress, type S3Address } from '../platform/files/s3/address.ts'
import { makeFolder } from '../platform/folders.ts'
import type { ServerFacts } from '../platform/server-facts.ts'
import { CliError, isErrorWithCode } from './command.ts'

type ServerAddress = Partial<Pick<Config, 'PARLEY_URL' | 'PARLEY_ROOT_DOMAIN'>>

interface ServerRecord extends ServerAddress {
  /** File store: null for the folder `files` in the data folder; undefined in records of an older version. */
  readonly files?: S3Address | null
}

const serverRecordPath = (config: Config): string => join(config.PARLEY_DATA_DIR, 'served.json')

/** Records settings for commands, whose environment may lack them. Returns a function that removes the record. */
export async function recordServerSettings(config: Config, url: string): Promise<() => Promise<void>> {
  const noted: ServerRecord = {
    PARLEY_URL: url,
    ...(config.PARLEY_ROOT_DOMAIN === undefined ? {} : { PARLEY_ROOT_DOMAIN: config.PARLEY_ROOT_DOMAIN }),
    files: config.PARLEY_FILES ?? null,
  }
  await makeFolder(config.PARLEY_DATA_DIR)
  await writeFile(serverRecordPath(config), JSON.stringify(noted))
  return async () => rm(serverRecordPath(config), { force: true })
}

export async function withServedSettings(config: Config): Promise<Config> {
  const noted = await readServerRecord(config)
  if (noted === undefined) return config
  const { files: _, ...served } = noted
  return { ...config, PARLEY_ROOT_DOMAIN: undefined, ...served }
}

export function describeUrl({ urlAt }: Pick<ServerFacts, 'urlAt'>, stringId: string, config: Config): string {
  const isNowhere = stringId !== '' && config.PARLEY_ROOT_DOMAIN === undefined
  return isNowhere ? '(not available: set PARLEY_ROOT_DOMAIN)' : urlAt(stringId)
}

/** @throws CliError if the server's file store differs from the one in `config` */
export async function refuseOtherFiles(config: Config): Promise<void> {
  const noted = (await readServerRecord(config))?.files
  if (noted === undefined) return
  const [there, here] = [noted ?? undefined, config.PARLEY_FILES]
  if (there === undefined || here === undefined ? there === here : isSameAddress(there, here)) return
  throw new CliError(
    `The server stores files in ${fileLocationName(there)}, but PARLEY_FILES is ${fileLocationName(here)} here. Run this command with the server's settings, or restart the server with these.`,
  )
}

function fileLocationName(address: S3Address | undefined): string {
  return address === undefined ? 'the data folder' : describeAddress(address)
}

async function readServerRecord(config: Config): Promise<ServerRecord | undefined> {
  try {
    // Safe: only recordServerSettings() writes this file.
    return JSON.parse(await readFile(serverRecordPath(config), 'utf8')) as ServerRecord
  } catch (error) {
    // If the data folder is a file or unreadable, opening the folder later reports the problem.
    if (error instanceof SyntaxError || isErrorWithCode(error, ['ENOENT', 'EACCES', 'ENOTDIR', 'EISDIR']))
      return undefined
    throw error
  }
}
