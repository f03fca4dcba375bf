import { deactivateOrganization } from '../capabilities/organizations/actions/index.ts'
import { isDeactivated, organizationOf } from '../capabilities/organizations/queries/index.ts'
import { serverFacts } from '../server-from-config.ts'
import type { OrganizationLog } from '../platform/log/organization-log.ts'
import { lockImport, findUnfinishedImports, type UnfinishedImport } from '../platform/moving/progress.ts'
import type { Config } from '../config.ts'
import type { Store } from '../start.ts'
import { CliError, loadConfig, toCliError, parseCommand, type Command, type Terminal } from './command.ts'
import { jsonOption, JSON_USAGE, organizationRecord, printJson } from './output.ts'
import { ORGANIZATION_USAGE, requireOrganization, organizationOption, withStore } from './store.ts'

const ROWS_PER_REPORT = 100_000
const FINISHING_DELETION_NOTICE =
  'Finishing: a partly deleted organization cannot be used. Press Ctrl-C again to abort; `parley prune` then deletes the rest.'

const RECREATION_WARNING =
  'PARLEY_OWNER_PASSWORD is set: the next `parley start` will create a new organization without a subdomain. Unset it to prevent this.'

export const organizationDelete: Command = {
  usage: `Usage: parley organization delete [--yes NAME] [--organization SUBDOMAIN] [--json]

Permanently delete an organization with all accounts, messages, and files. This cannot be undone: make a backup first, or
deactivate it instead. Its subdomain becomes free. If the command is interrupted, \`parley prune\` deletes the rest.

  --yes NAME                 confirm with the organization's name instead of typing it
${JSON_USAGE}
${ORGANIZATION_USAGE}`,

  async run(args, terminal) {
    const options = { yes: { type: 'string' }, ...jsonOption, ...organizationOption } as const
    const { values } = parseCommand(args, [], options)
    const deleted = await withStore(
      terminal,
      async (store, config) => {
        const open = (await findUnfinishedImports(store.database.reads)).find(
          ({ name }) => name === values.organization,
        )
        if (open !== undefined) return deleteUnfinishedImport(open, values.yes, { store, config, terminal })
        const log = await requireOrganization(store, values.organization)
        const organization = organizationOf(log.organization)
        await requireConfirmation(organization.name, values.yes, terminal)
        await ensureDeactivated(log)
        await deleteOrganization(log.organization.id, { store, config, terminal })
        return organization
      },
      { isStoppable: true },
    )
    if (values.json) printJson(terminal, { organization: organizationRecord({ ...deleted, isDeactivated: true }) })
    else terminal.print(`Deleted ${deleted.name}.`)
    if (deleted.stringId === '' && loadConfig(terminal).PARLEY_OWNER_PASSWORD !== undefined)
      terminal.warn(RECREATION_WARNING)
  },
}

interface DeletionContext {
  readonly store: Store
  readonly config: Config
  readonly terminal: Terminal
}

async function deleteOrganization(organizationId: number, { store, config, terminal }: DeletionContext): Promise<void> {
  let reported = 0
  await store.logs.remove(organizationId, (rows) => {
    if (rows - reported < ROWS_PER_REPORT) return
    reported = rows
    terminal.warn(`Deleted ${rows.toLocaleString('en')} rows ...`)
  })
  await serverFacts(config, store).files.removeOrganization(organizationId)
}

async function deleteUnfinishedImport(
  { organizationId, name, stringId, begunAt }: UnfinishedImport,
  given: string | undefined,
  deleting: DeletionContext,
): Promise<{ stringId: string; name: string; dateCreated: number }> {
  await requireConfirmation(name, given, deleting.terminal)
  const unlock = await toCliError(lockImport(deleting.store.database, stringId))
  try {
    await deleteOrganization(organizationId, deleting)
  } finally {
    await unlock()
  }
  return { stringId: name, name, dateCreated: begunAt }
}

/** Requires the organization's name as confirmation. After that, Ctrl-C only prints that it is too late. */
async function requireConfirmation(name: string, given: string | undefined, terminal: Terminal): Promise<void> {
  const signal = terminal.stopSignal()
  const called = given ?? (await readConfirmation(name, signal, terminal))
  if (signal.aborted) throw new CliError('Stopped. Nothing was deleted.')
  if (called !== name) {
    throw new CliError(`The name does not match. The organization is called ${name}. Nothing was deleted.`)
  }
  signal.addEventListener('abort', () => terminal.warn(FINISHING_DELETION_NOTICE))
}

async function readConfirmation(name: string, signal: AbortSignal, terminal: Terminal): Promise<string> {
  terminal.warn(`This permanently deletes ${name} with all accounts, messages, and files. Type its name to confirm:`)
  try {
    return await terminal.readLine(signal)
  } catch (error) {
    if (signal.aborted) return ''
    throw error
  }
}

async function ensureDeactivated(log: OrganizationLog): Promise<void> {
  await log.operate(async (tx) => {
    if (!isDeactivated(tx.organization)) await deactivateOrganization(tx)
  })
}
