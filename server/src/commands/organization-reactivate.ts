import { reactivateOrganization } from '../capabilities/organizations/actions/deactivation.ts'
import { isDeactivated, organizationOf } from '../capabilities/organizations/queries/index.ts'
import { Complaint, parseCommand, type Command } from './command.ts'
import { jsonOption, JSON_USAGE, organizationRecord, printJson } from './output.ts'
import { ORGANIZATION_USAGE, organizationNamed, organizationOption, withStore } from './store.ts'

export const organizationReactivate: Command = {
  usage: `Usage: parley organization reactivate [--organization SUBDOMAIN] [--json]

Brings back an organization that was deactivated, as it was. People sign in anew; API keys are those from before.

${JSON_USAGE}
${ORGANIZATION_USAGE}`,

  async run(args, terminal) {
    const { values } = parseCommand(args, [], { ...jsonOption, ...organizationOption })
    const organization = await withStore(terminal, async (store) => {
      const log = await organizationNamed(store, values.organization)
      await log.operate(async (tx) => {
        const { name } = organizationOf(tx.organization)
        if (!isDeactivated(tx.organization)) throw new Complaint(`${name} is not deactivated.`)
        await reactivateOrganization(tx)
      })
      return organizationOf(log.organization)
    })
    if (values.json) printJson(terminal, { organization: organizationRecord(organization) })
    else terminal.print(`Reactivated ${organization.name}.`)
  },
}
