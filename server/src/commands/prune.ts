import { referencedFileKeys } from '../capabilities/server-health/queries/named-files.ts'
import { countExpiredSetupLinks } from '../capabilities/setup/queries.ts'
import { deleteExpiredSetupLinks } from '../capabilities/setup/actions.ts'
import { fileStore } from '../server-from-config.ts'
import type { FileStore, ListedFile } from '../platform/files/store.ts'
import { pendingRemovals } from '../platform/log/organization-rows.ts'
import type { Store } from '../start.ts'
import { CliError, parseCommand, type Command } from './command.ts'
import { jsonOption, JSON_USAGE, printJson, printTable, formatBytes } from './output.ts'
import { withStore } from './store.ts'

/** Minimum age of files to delete, because a younger file may not be referenced yet. */
const MIN_ORPHAN_AGE_SECONDS = 86_400

interface PruneResult {
  readonly what: 'organizations' | 'files' | 'setup_links'
  readonly count: number
  readonly bytes: number
}

const RESULT_TITLES: Readonly<Record<PruneResult['what'], string>> = {
  organizations: 'Partly deleted organizations',
  files: 'Unreferenced files',
  setup_links: 'Expired setup links',
}

export const prune: Command = {
  usage: `Usage: parley prune [--dry-run] [--json]

Remove leftover data: organizations whose deletion was interrupted, files older than a day that nothing references, and
expired setup links. A running server removes old events, expired tokens, sessions, and invitations, unused uploads, and
old audit log entries by itself.

  --dry-run                  print what would be removed
${JSON_USAGE}`,

  async run(args, terminal) {
    const options = { 'dry-run': { type: 'boolean', default: false }, ...jsonOption } as const
    const { values } = parseCommand(args, [], options)
    const isDry = values['dry-run']
    const signal = terminal.stopSignal()
    const pruned = await withStore(
      terminal,
      async (store, config) => {
        const files = fileStore(config)
        return [
          await pruneOrganizations(store, { files, isDry, signal }),
          await pruneFiles(store, { files, isDry, signal }),
          await pruneSetupLinks(store, isDry),
        ]
      },
      { use: isDry ? 'look' : 'write', isStoppable: true },
    )
    if (values.json) {
      printJson(terminal, { dry_run: isDry, pruned })
      return
    }
    terminal.print(isDry ? 'Would remove:' : 'Removed:')
    printTable(
      terminal,
      pruned.map(({ what, count, bytes }) => [String(count), bytes > 0 ? formatBytes(bytes) : '', RESULT_TITLES[what]]),
    )
  },
}

interface PruneContext {
  readonly files: FileStore
  readonly isDry: boolean
  readonly signal: AbortSignal
}

function throwIfStopped({ isDry, signal }: PruneContext): void {
  if (!signal.aborted) return
  throw new CliError(isDry ? 'Stopped. Nothing was removed.' : 'Stopped. Run the command again to remove the rest.')
}

async function pruneOrganizations({ database, logs }: Store, pruning: PruneContext): Promise<PruneResult> {
  const { files, isDry } = pruning
  const ids = await pendingRemovals(database.pool)
  for (const id of isDry ? [] : ids) {
    throwIfStopped(pruning)
    await logs.remove(id)
    await files.removeOrganization(id)
  }
  return { what: 'organizations', count: ids.length, bytes: 0 }
}

async function pruneFiles({ database: { reads } }: Store, pruning: PruneContext): Promise<PruneResult> {
  const { files, isDry } = pruning
  const before = Math.floor(Date.now() / 1000) - MIN_ORPHAN_AGE_SECONDS
  const byOrganization = new Map<number, ListedFile[]>()
  for await (const file of files.list()) {
    throwIfStopped(pruning)
    if (file.storedAt > before) continue
    const organizationId = Number(file.key.split('/')[1])
    const listed = byOrganization.get(organizationId)
    if (listed === undefined) byOrganization.set(organizationId, [file])
    else listed.push(file)
  }
  let [count, bytes] = [0, 0]
  for (const [organizationId, listed] of byOrganization) {
    // Reads references after listing the files, so that newly referenced files are kept.
    const named = await referencedFileKeys(reads, organizationId)
    for (const { key, size } of listed.filter((file) => !named.has(file.key))) {
      throwIfStopped(pruning)
      if (!isDry) await files.remove(key)
      count += 1
      bytes += size
    }
  }
  return { what: 'files', count, bytes }
}

async function pruneSetupLinks({ database }: Store, isDry: boolean): Promise<PruneResult> {
  const now = Math.floor(Date.now() / 1000)
  const count = await (isDry
    ? countExpiredSetupLinks(database.reads, now)
    : deleteExpiredSetupLinks(database.kysely, now))
  return { what: 'setup_links', count, bytes: 0 }
}
