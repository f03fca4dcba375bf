import { deactivateOrganization } from '../capabilities/organizations/actions/deactivation.ts'
import { isDeactivated, organizationOf } from '../capabilities/organizations/queries/index.ts'
import { serverFacts } from '../facts.ts'
import type { OrganizationLog } from '../platform/log/organization-log.ts'
import { Complaint, parseCommand, type Command, type Terminal } from './command.ts'
import { jsonOption, JSON_USAGE, organizationRecord, printJson } from './output.ts'
import { ORGANIZATION_USAGE, organizationNamed, organizationOption, withStore } from './store.ts'

/** So many rows that a person hears now and then that something happens. */
const TOLD_ROWS = 100_000

export const organizationDelete: Command = {
  usage: `Usage: parley organization delete [--yes NAME] [--organization SUBDOMAIN] [--json]

Deletes an organization for good, with all accounts, messages and files, and without a way back: make a backup first, or only deactivate it.
It ends for everybody at once, and its subdomain is free. If the command is cut off, \`parley prune\` deletes what is left.

  --yes NAME                 what the organization is called, in place of asking for it
${JSON_USAGE}
${ORGANIZATION_USAGE}`,

  async run(args, terminal) {
    const options = { yes: { type: 'string' }, ...jsonOption, ...organizationOption } as const
    const { values } = parseCommand(args, [], options)
    const deleted = await withStore(terminal, async (store, config) => {
      const log = await organizationNamed(store, values.organization)
      const organization = organizationOf(log.organization)
      if (await isMeant(organization.name, values.yes, terminal)) await end(log)
      else throw new Complaint(`That is not what it is called: ${organization.name}. Nothing was deleted.`)
      let told = 0
      await store.logs.remove(log.organization.id, (rows) => {
        if (rows - told < TOLD_ROWS) return
        told = rows
        terminal.warn(`${rows} rows are deleted …`)
      })
      await serverFacts(config, store).files.removeOrganization(log.organization.id)
      return organization
    })
    if (values.json) printJson(terminal, { organization: organizationRecord({ ...deleted, isDeactivated: true }) })
    else terminal.print(`Deleted ${deleted.name}.`)
  },
}

/** Whether the person at the terminal says what the organization is called. */
async function isMeant(name: string, given: string | undefined, terminal: Terminal): Promise<boolean> {
  if (given !== undefined) return given === name
  terminal.warn(`This deletes ${name} for good, with all accounts, messages and files. Type its name:`)
  return (await terminal.readLine()) === name
}

/** Everybody who is there hears that it ends. */
async function end(log: OrganizationLog): Promise<void> {
  await log.operate(async (tx) => {
    if (!isDeactivated(tx.organization)) await deactivateOrganization(tx)
  })
}
