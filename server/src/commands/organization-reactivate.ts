import { reactivateOrganization } from '../capabilities/organizations/actions/deactivation.ts'
import { isDeactivated, organizationOf } from '../capabilities/organizations/queries/index.ts'
import { Complaint, parseCommand, type Command } from './command.ts'
import { ORGANIZATION_USAGE, organizationNamed, organizationOption, withStore } from './store.ts'

export const organizationReactivate: Command = {
  usage: `Usage: parley organization reactivate [--organization SUBDOMAIN]

Brings back an organization that was deactivated, as it was. People sign in anew; API keys are those from before.

${ORGANIZATION_USAGE}`,

  async run(args, terminal) {
    const { values } = parseCommand(args, [], organizationOption)
    const name = await withStore(terminal, async (store) => {
      const log = await organizationNamed(store, values.organization)
      return log.write(async (tx) => {
        const organization = organizationOf(tx.organization)
        if (!isDeactivated(tx.organization)) throw new Complaint(`${organization.name} is not deactivated.`)
        await reactivateOrganization(tx)
        return organization.name
      })
    })
    terminal.print(`Reactivated ${name}.`)
  },
}
