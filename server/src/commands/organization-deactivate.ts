import { deactivateOrganization } from '../capabilities/organizations/actions/deactivation.ts'
import { isDeactivated, organizationOf } from '../capabilities/organizations/queries/index.ts'
import { Complaint, parseCommand, type Command } from './command.ts'
import { jsonOption, JSON_USAGE, organizationRecord, printJson } from './output.ts'
import { ORGANIZATION_USAGE, organizationNamed, organizationOption, withStore } from './store.ts'

export const organizationDeactivate: Command = {
  usage: `Usage: parley organization deactivate [--organization SUBDOMAIN] [--json]

Deactivates an organization: all people are signed out and cannot sign in. Nothing is deleted: the command
\`parley organization reactivate\` brings the organization back.

${JSON_USAGE}
${ORGANIZATION_USAGE}`,

  async run(args, terminal) {
    const { values } = parseCommand(args, [], { ...jsonOption, ...organizationOption })
    const organization = await withStore(terminal, async (store) => {
      const log = await organizationNamed(store, values.organization)
      await log.operate(async (tx) => {
        const { name } = organizationOf(tx.organization)
        if (isDeactivated(tx.organization)) throw new Complaint(`${name} is deactivated already.`)
        await deactivateOrganization(tx)
      })
      return organizationOf(log.organization)
    })
    if (values.json) printJson(terminal, { organization: organizationRecord(organization) })
    else terminal.print(`Deactivated ${organization.name}.`)
  },
}
