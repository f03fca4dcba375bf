import { deactivateOrganization, reactivateOrganization } from '../capabilities/organizations/actions/index.ts'
import { isDeactivated, organizationOf } from '../capabilities/organizations/queries/index.ts'
import type { Tx } from '../kernel/transaction.ts'
import { CliError, parseCommand, type Command } from './command.ts'
import { jsonOption, JSON_USAGE, organizationRecord, printJson } from './output.ts'
import { ORGANIZATION_USAGE, requireOrganization, organizationOption, withStore } from './store.ts'

export const organizationDeactivate: Command = {
  usage: `Usage: parley organization deactivate [--organization SUBDOMAIN] [--json]

Deactivate an organization: sign everyone out and block access. Nothing is deleted;
\`parley organization reactivate\` reverses it.

${JSON_USAGE}
${ORGANIZATION_USAGE}`,
  run: activationCommand('Deactivated', async (tx) => {
    if (isDeactivated(tx.organization))
      throw new CliError(`${organizationOf(tx.organization).name} is already deactivated.`)
    await deactivateOrganization(tx)
  }),
}

export const organizationReactivate: Command = {
  usage: `Usage: parley organization reactivate [--organization SUBDOMAIN] [--json]

Reactivate an organization. People have to sign in again; API keys are unchanged.

${JSON_USAGE}
${ORGANIZATION_USAGE}`,
  run: activationCommand('Reactivated', async (tx) => {
    if (!isDeactivated(tx.organization))
      throw new CliError(`${organizationOf(tx.organization).name} is not deactivated.`)
    await reactivateOrganization(tx)
  }),
}

function activationCommand(done: string, action: (tx: Tx) => Promise<void>): Command['run'] {
  return async (args, terminal) => {
    const { values } = parseCommand(args, [], { ...jsonOption, ...organizationOption })
    const organization = await withStore(terminal, async (store) => {
      const log = await requireOrganization(store, values.organization)
      await log.operate(action)
      return organizationOf(log.organization)
    })
    if (values.json) printJson(terminal, { organization: organizationRecord(organization) })
    else terminal.print(`${done} ${organization.name}.`)
  }
}
