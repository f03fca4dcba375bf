import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Config } from '../config.ts'
import { fileStore } from '../server-from-config.ts'
import { formatCount, messageOf } from '../kernel/phrases.ts'
import { isSameAddress, readS3Address, type S3Address } from '../platform/files/s3/address.ts'
import type { FileStore } from '../platform/files/store.ts'
import { transferFiles, type TransferResult } from '../platform/files/transfer.ts'
import { CliError, loadConfig, toCliError, parseCommand, UsageError, type Command } from './command.ts'
import { refuseForeignOrRestoring } from './database.ts'
import { jsonOption, JSON_USAGE, printJson, formatBytes, showProgress } from './output.ts'
import { refuseOtherFiles } from './served.ts'

const MAX_NAMED_FILES = 20

/** S3 bucket, or undefined for the folder `files` in the data folder. */
type StoreLocation = S3Address | undefined

export const filesMove: Command = {
  usage: `Usage: parley files move TO [--from FROM] [--verify] [--remove] [--dry-run] [--json]

Copy all files from the store in PARLEY_FILES to TO while servers run: s3://BUCKET/PREFIX?endpoint=..., or folder for the
data folder. Each copy is verified by checksum. If interrupted, run the command again to continue. After the
servers switch to the new store, run it once more to copy files uploaded in the meantime.

  --from FROM                copy from another store
  --verify                   also verify files that already exist
  --remove                   remove verified files from FROM; allowed once PARLEY_FILES points to TO
  --dry-run                  print what would be copied
${JSON_USAGE}

Exit codes: 0 TO has every file, 1 it does not, 2 invalid command line.`,

  async run(args, terminal) {
    const { positionals, values } = parseCommand(args, ['TO'], {
      from: { type: 'string' },
      verify: { type: 'boolean', default: false },
      remove: { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
      ...jsonOption,
    })
    const begun = performance.now()
    const config = loadConfig(terminal)
    const to = parseLocation(positionals[0] ?? '', 'TO')
    const from = values.from === undefined ? config.PARLEY_FILES : parseLocation(values.from, 'FROM')
    if (isSameLocation(from, to)) throw new UsageError('FROM and TO are the same store.')
    await refuseForeignOrRestoring(config.PARLEY_DATA_DIR)
    await refuseOtherAccount(config.PARLEY_DATA_DIR, terminal.userId)
    if (values.remove) {
      await refuseOtherFiles(config)
      if (!isSameLocation(config.PARLEY_FILES, to))
        throw new CliError(
          'Servers may still use the files in FROM. To use --remove, set PARLEY_FILES to TO for all servers and for this command.',
        )
    }
    const signal = terminal.stopSignal()
    const progress = showProgress(terminal, { files: { label: 'Copying files', isBytes: true } })
    const [source, target] = [openStoreAt(from, config), openStoreAt(to, config)]
    try {
      for (const store of [source, target]) await requireReachable(store)
      const transfer = transferFiles({
        from: source,
        to: target,
        isDry: values['dry-run'],
        verifies: values.verify || values.remove,
        removes: values.remove,
        report: (done, all) => progress.report('files', done, all),
        signal,
      })
      const result = await toCliError(transfer).catch((error: unknown) => {
        if (!signal.aborted) throw error
        throw new CliError('Stopped. Copied files stay; run the command again to continue.', {
          cause: error,
        })
      })
      progress.end()
      const seconds = Math.round((performance.now() - begun) / 100) / 10
      const names = { from: locationName(from, config), to: locationName(to, config) }
      if (values.json) printJson(terminal, jsonResult(result, names, values['dry-run'], seconds))
      else terminal.print(summarizeTransfer(result, names, values['dry-run'], seconds))
      throwIfFilesDiffer(result)
    } finally {
      progress.end()
      source.close()
      target.close()
    }
  },
}

function parseLocation(text: string, name: string): StoreLocation {
  if (text === 'folder') return undefined
  try {
    return readS3Address(text)
  } catch (error) {
    throw new UsageError(`${name} ${messageOf(error)}, or be folder.`)
  }
}

function isSameLocation(one: StoreLocation, other: StoreLocation): boolean {
  if (one === undefined || other === undefined) return one === other
  return isSameAddress(one, other)
}

function locationName(place: StoreLocation, { PARLEY_DATA_DIR }: Config): string {
  return place === undefined ? resolve(PARLEY_DATA_DIR, 'files') : `s3://${place.bucket}/${place.prefix}`
}

function openStoreAt(place: StoreLocation, config: Config): FileStore {
  const missing = (['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const).find((name) => config[name] === undefined)
  if (place !== undefined && missing !== undefined) throw new CliError(`${missing}: is required for files in a bucket`)
  return fileStore({ ...config, PARLEY_FILES: place })
}

/** Refuses to run under a different OS account than the server: the server could not read the moved files. */
async function refuseOtherAccount(dataDirectory: string, userId: number | undefined): Promise<void> {
  const { uid } = await toCliError(stat(dataDirectory), `Cannot read the data folder ${resolve(dataDirectory)}`)
  if (userId === undefined || userId === uid) return
  throw new CliError(
    `The data folder ${resolve(dataDirectory)} belongs to user ID ${uid}. Run this command as that user, so that the server can read the files.`,
  )
}

async function requireReachable(store: FileStore): Promise<void> {
  const reason = await store.failure()
  if (reason !== undefined) throw new CliError(`Cannot move files: ${reason}.`)
}

interface StoreNames {
  readonly from: string
  readonly to: string
}

function jsonResult(result: TransferResult, { from, to }: StoreNames, isDry: boolean, seconds: number): object {
  return {
    from,
    to,
    dry_run: isDry,
    files: result.files,
    bytes: result.bytes,
    copied: result.copied,
    copied_bytes: result.copiedBytes,
    there_already: result.alreadyThere,
    differing: result.differing.length,
    removed: result.removed,
    seconds,
  }
}

function summarizeTransfer(result: TransferResult, { from, to }: StoreNames, isDry: boolean, seconds: number): string {
  const { files, bytes, copied, copiedBytes, alreadyThere, differing, removed } = result
  return [
    `From ${from} to ${to}, in ${seconds} s:`,
    `  ${formatCount(files, 'file', 'files')}, ${formatBytes(bytes)}`,
    `  ${formatCount(copied, 'file', 'files')}, ${formatBytes(copiedBytes)} ${isDry ? 'to copy' : 'copied'}; ${alreadyThere.toLocaleString('en')} already there`,
    ...(removed > 0 ? [`  ${formatCount(removed, 'file', 'files')} removed from the source`] : []),
    `  ${differing.length.toLocaleString('en')} of ${files.toLocaleString('en')} differ`,
  ].join('\n')
}

function throwIfFilesDiffer({ differing }: TransferResult): void {
  if (differing.length === 0) return
  const names = differing.slice(0, MAX_NAMED_FILES).join(', ')
  throw new CliError(`${formatCount(differing.length, 'copy differs', 'copies differ')} from the source: ${names}.`)
}
